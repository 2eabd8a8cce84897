// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-2.0-or-later
import PackageDescription

// An app that uses CandelaKit as any other would, and of the traits only what it needs: not the
// program, whose arguments need swift-argument-parser.
let package = Package(
  name: "ExampleApp",
  dependencies: [.package(name: "candela", path: "../..", traits: ["GPLEncoders"])],
  targets: [
    .executableTarget(
      name: "ExampleApp", dependencies: [.product(name: "CandelaKit", package: "candela")])
  ])
