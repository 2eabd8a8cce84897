// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-2.0-or-later
import PackageDescription

// An app that uses CandelaKit as any other app would. It enables only the traits that it needs, and
// so leaves out the program, which depends on swift-argument-parser.
let package = Package(
  name: "ExampleApp",
  dependencies: [.package(name: "candela", path: "../..", traits: ["GPLEncoders"])],
  targets: [
    .executableTarget(
      name: "ExampleApp", dependencies: [.product(name: "CandelaKit", package: "candela")])
  ])
