// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "candela", path: "../..")],
  targets: [
    .executableTarget(
      name: "conversion-bench",
      dependencies: [.product(name: "CandelaKit", package: "candela")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "color-plots",
      dependencies: [.product(name: "CandelaKit", package: "candela")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ])
