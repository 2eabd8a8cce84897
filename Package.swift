// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-2.0-or-later
import PackageDescription

/// The compiler settings of Candela's targets. `Architecture.md` says what each target may use. Row
/// kernels and their operations work on pointers, so they have other settings.
let rules: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The settings of tests, which may read the unsafe memory of pixel buffers. `import` without an
/// access level is allowed, too.
let testRules: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: rules)
}

/// A target whose Swift code processes many bytes or samples. It is optimized in debug builds, too,
/// because the tests run the debug program thousands of times.
func busyModule(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: rules + [.unsafeFlags(["-O"], .when(configuration: .debug))])
}

/// - Parameter packageAccess: whether the tests see more than a program that uses the library.
func tests(
  of name: String, _ dependencies: [Target.Dependency] = [], packageAccess: Bool = true
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
    packageAccess: packageAccess, swiftSettings: testRules)
}

/// A target of row kernels. These targets compile the same source for different instruction sets:
/// two of the three folders are links. Debug builds are optimized as well, and compile all files at
/// once, because otherwise generic functions would be slow when other files use them. The kernels
/// work on pointers, so there is no strict memory safety.
func kernels(_ name: String, _ define: String, _ cpu: [String] = []) -> Target {
  .target(
    name: name, dependencies: ["CLanes", "RowOperations"],
    swiftSettings: [
      .swiftLanguageMode(.v6), .define(define), .treatAllWarnings(as: .error),
      .unsafeFlags(["-Ounchecked"] + cpu),
      // Without threads, the compiler would write a single object file, but SwiftPM expects one
      // for each source file.
      .unsafeFlags(
        ["-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2"],
        .when(configuration: .debug)),
    ])
}

#if arch(x86_64)
let vectorKernels = [
  kernels("RowKernelsAVX2", "LANES8", ["-Xcc", "-march=haswell", "-target-cpu", "haswell"]),
  kernels(
    "RowKernelsAVX512", "LANES16",
    ["-Xcc", "-march=skylake-avx512", "-target-cpu", "skylake-avx512"]
      // Plain loops should use whole registers, too.
      + [
        "-Xcc", "-Xclang", "-Xcc", "-target-feature", "-Xcc", "-Xclang", "-Xcc",
        "-prefer-256-bit",
      ]
  ),
]
#else
let vectorKernels: [Target] = []
#endif

let package = Package(
  name: "candela",
  products: [
    .library(
      name: "CandelaKit",
      targets: ["CandelaKit"]),
    .executable(name: "candela", targets: ["candela"]),
  ],
  traits: [
    .trait(
      name: "Program",
      description: "The program 'candela', and with it swift-argument-parser for its arguments."),
    .trait(
      name: "GPLEncoders",
      description: "x264 and x265. Without them, HEVC and H.264 cannot be encoded."),
    .default(enabledTraits: ["Program", "GPLEncoders"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    // C modules. CX264 has no `pkgConfig`, because `x264.pc` contains a flag that SwiftPM
    // refuses. The module map of CX264 links the library.
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libavutil-dev",
          "libswscale-dev", "libswresample-dev",
        ])
      ]),
    .systemLibrary(name: "CX265", pkgConfig: "x265", providers: [.apt(["libx265-dev"])]),
    .systemLibrary(name: "CX264", providers: [.apt(["libx264-dev"])]),
    .systemLibrary(name: "CLanes"),
    .systemLibrary(name: "CPrefetch"),
    .systemLibrary(name: "CSystem"),

    // Pure Swift: byte formats, and what their values mean.
    busyModule("Bitstreams"),
    module("CodePoints", ["Bitstreams"]),
    module("ISOBMFF", ["Bitstreams", "CodePoints"]),
    module("NALUnits", ["Bitstreams", "CodePoints"]),
    module("OBUs", ["Bitstreams", "CodePoints"]),
    busyModule("DolbyVision", ["Bitstreams"]),
    busyModule("ColorScience", ["CodePoints"]),
    module("ColorTagging", ["CodePoints", "ColorScience"]),

    // Frames, codecs, files.
    module("MediaCore", ["CodePoints"]),
    .target(
      name: "RowOperations",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    kernels("RowKernels", "BASELINE"),
    busyModule(
      "ColorConversion",
      ["CPrefetch", "CodePoints", "ColorScience", "MediaCore", "RowOperations", "RowKernels"]
        + vectorKernels.map { .byName(name: $0.name) }),
    module("LibAV", ["Bitstreams", "CFFmpeg", "CodePoints", "MediaCore", "NALUnits", "OBUs"]),
    module(
      "VideoEncoders",
      [
        .target(name: "CX265", condition: .when(traits: ["GPLEncoders"])),
        .target(name: "CX264", condition: .when(traits: ["GPLEncoders"])),
        "Bitstreams", "CodePoints", "LibAV", "MediaCore", "OBUs",
      ]),
    // What the operating system offers, and which files may be written.
    module(
      "Host",
      [
        "Bitstreams", "CSystem", "CodePoints", "DolbyVision", "ISOBMFF", "LibAV",
        "MediaCore", "NALUnits",
      ]),
    // Assets and Inspection read what files contain and state. Editing changes files without
    // encoding.
    module(
      "Assets",
      [
        "Bitstreams", "CodePoints", "ColorScience", "ColorTagging", "DolbyVision", "Host",
        "ISOBMFF", "LibAV", "MediaCore", "NALUnits", "OBUs",
      ]),
    module(
      "Editing",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorTagging", "DolbyVision", "Host", "ISOBMFF",
        "LibAV", "MediaCore", "NALUnits", "OBUs",
      ]),
    module(
      "Inspection",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorScience", "ColorTagging", "DolbyVision", "Host",
        "ISOBMFF", "LibAV", "MediaCore", "NALUnits",
      ]),
    // Reads and indexes the samples and frames of an asset.
    module(
      "Reading",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorConversion", "ColorScience", "ColorTagging",
        "DolbyVision", "Host", "ISOBMFF", "LibAV", "MediaCore", "NALUnits",
      ]),
    // Measures the light of a source's frames, so that tone curves can be fitted to it.
    busyModule(
      "Shots",
      [
        "Assets", "CodePoints", "ColorConversion", "ColorScience", "DolbyVision", "LibAV",
        "MediaCore", "NALUnits", "Reading",
      ]),
    .target(
      name: "Settings",
      dependencies: [
        "CodePoints", "ColorConversion", "ColorScience", "Host", "LibAV", "MediaCore",
        "VideoEncoders",
      ],
      // `Presets` is a link to the folder at the top. The program contains the presets, so that it
      // needs no other file.
      resources: [.embedInCode("Presets")], swiftSettings: rules),
    // Plans what is done to a source, and has the stages that do it.
    module(
      "Planning",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorConversion", "ColorScience", "ColorTagging",
        "DolbyVision", "Host", "ISOBMFF", "LibAV", "MediaCore", "NALUnits", "Reading", "Settings",
        "Shots", "VideoEncoders",
      ]),
    // Writes the tracks and boxes of an output, packages it, and verifies it.
    module(
      "Writing",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorTagging", "DolbyVision", "Host", "ISOBMFF",
        "LibAV", "MediaCore", "NALUnits", "Planning", "Reading", "VideoEncoders",
      ]),
    // Transcodes files, and has the reader and writer with AVFoundation's names.
    module(
      "Transcoding",
      [
        "Assets", "CodePoints", "ColorConversion", "ColorScience", "Host", "ISOBMFF", "LibAV",
        "MediaCore", "Planning", "Reading", "Settings", "VideoEncoders", "Writing",
      ]),
    // Encodes a file in segments, in several processes or on several machines.
    busyModule(
      "Segments",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorConversion", "ColorScience", "Host", "ISOBMFF",
        "LibAV", "MediaCore", "NALUnits", "Planning", "Reading", "Settings", "Shots", "Transcoding",
        "VideoEncoders", "Writing",
      ]),
    // Makes still images of frames.
    busyModule(
      "Stills",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorConversion", "ColorScience", "Host", "ISOBMFF",
        "LibAV", "MediaCore", "OBUs", "Planning", "Reading", "Settings", "Shots",
      ]),
    // Compares an output with its source.
    busyModule(
      "Comparison",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorConversion", "ColorScience", "ColorTagging",
        "Host", "ISOBMFF", "LibAV", "MediaCore", "NALUnits", "Reading", "Settings",
      ]),
    // Puts the HDR metadata of a file onto an encode of it that another program made.
    module(
      "Grafting",
      [
        "Assets", "CodePoints", "ColorTagging", "Comparison", "DolbyVision", "Host", "LibAV",
        "MediaCore", "NALUnits", "Planning", "Reading",
      ]),
    // The module that programs import. It has export sessions, which use one process or several.
    module(
      "CandelaKit",
      [
        "Assets", "CodePoints", "ColorConversion", "ColorScience", "ColorTagging", "Comparison",
        "Editing", "Host", "Inspection", "LibAV", "MediaCore", "Planning", "Reading", "Segments",
        "Settings", "Stills", "Transcoding", "VideoEncoders",
      ]),
    .executableTarget(
      name: "candela",
      dependencies: [
        "Assets", "CodePoints", "ColorScience", "ColorTagging", "Comparison", "Editing",
        "Grafting", "Host", "Inspection", "MediaCore", "Planning", "Reading", "Segments",
        "Settings", "Shots", "Stills", "Transcoding", "VideoEncoders",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Program"])),
      ],
      swiftSettings: rules),

    // Tools for development. They measure the color core, predict the time on many cores, and draw
    // the documentation's curves.
    .executableTarget(
      name: "conversion-bench",
      dependencies: ["CodePoints", "ColorConversion", "ColorScience", "MediaCore"],
      path: "Tests/Benchmarks/conversion-bench", swiftSettings: testRules),
    .executableTarget(
      name: "worker-simulation",
      dependencies: ["CodePoints", "MediaCore", "Segments", "VideoEncoders"],
      path: "Tests/Benchmarks/worker-simulation", swiftSettings: testRules),
    .executableTarget(
      name: "color-plots", dependencies: ["ColorScience"],
      path: "Tests/Benchmarks/color-plots", swiftSettings: testRules),

    .target(
      name: "TestSupport", dependencies: ["CodePoints", "ColorScience", "Host", "ISOBMFF"],
      path: "Tests/TestSupport", exclude: ["hdrcheck", "shells"], resources: [.copy("Fixtures")],
      // Optimized in debug builds, too, because tests compare hundreds of thousands of samples
      // with it.
      swiftSettings: testRules + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    tests(of: "Bitstreams", ["TestSupport"]),
    tests(of: "CodePoints", ["Bitstreams", "TestSupport"]),
    tests(of: "ISOBMFF", ["Bitstreams", "CodePoints", "TestSupport"]),
    tests(of: "NALUnits", ["Bitstreams", "CodePoints", "ISOBMFF", "TestSupport"]),
    tests(of: "OBUs", ["Bitstreams", "CodePoints", "TestSupport"]),
    tests(of: "DolbyVision", ["TestSupport"]),
    tests(of: "ColorScience", ["CodePoints", "TestSupport"]),
    tests(of: "ColorTagging", ["CodePoints", "ColorScience"]),
    tests(of: "MediaCore", ["CodePoints"]),
    tests(
      of: "ColorConversion",
      ["CodePoints", "ColorScience", "MediaCore", "RowOperations", "TestSupport"]),
    tests(of: "RowOperations"),
    tests(of: "RowKernels", ["CodePoints", "ColorScience", "RowOperations"]),
    tests(of: "LibAV", ["CodePoints", "MediaCore", "TestSupport"]),
    tests(of: "Host", ["TestSupport"]),
    tests(
      of: "Assets",
      ["CodePoints", "ColorScience", "DolbyVision", "Host", "MediaCore", "NALUnits", "TestSupport"]),
    tests(
      of: "Reading",
      [
        "Assets", "CodePoints", "ColorTagging", "DolbyVision", "ISOBMFF", "LibAV", "MediaCore",
        "TestSupport",
      ]),
    tests(of: "Shots", ["ColorConversion", "ColorScience", "MediaCore"]),
    tests(of: "VideoEncoders", ["CodePoints", "MediaCore", "TestSupport"]),
    tests(
      of: "Settings",
      [
        "CodePoints", "ColorConversion", "Host", "LibAV", "MediaCore", "TestSupport",
        "VideoEncoders",
      ]),
    tests(
      of: "Editing",
      [
        "Assets", "Bitstreams", "CodePoints", "ColorTagging", "Host", "Inspection", "TestSupport",
      ]),
    tests(of: "Inspection", ["Host", "TestSupport"]),
    tests(of: "Comparison", ["TestSupport"]),
    tests(
      of: "Planning",
      [
        "Assets", "CodePoints", "DolbyVision", "ISOBMFF", "LibAV", "MediaCore", "Settings",
      ]),
    tests(
      of: "Writing",
      ["Assets", "CodePoints", "Host", "MediaCore", "Planning", "TestSupport"]),
    tests(
      of: "Transcoding",
      [
        "Assets", "Bitstreams", "CandelaKit", "CodePoints", "ColorConversion", "ColorScience",
        "ColorTagging", "DolbyVision", "Editing", "Host", "ISOBMFF", "Inspection", "LibAV",
        "MediaCore", "NALUnits", "Planning", "Reading", "Settings", "Stills", "TestSupport",
        "VideoEncoders", "Writing",
      ]),
    tests(
      of: "Segments",
      ["CodePoints", "Host", "MediaCore", "Planning", "TestSupport", "VideoEncoders"]),
    tests(of: "Grafting", ["CodePoints", "MediaCore"]),
    tests(of: "Stills"),
    tests(of: "CandelaKit", ["TestSupport"], packageAccess: false),
    tests(
      of: "candela",
      [
        "Assets", "CodePoints", "ColorScience", "Comparison", "DolbyVision", "Editing", "Host",
        "Inspection", "Segments", "TestSupport",
      ]),
  ] + vectorKernels
)
