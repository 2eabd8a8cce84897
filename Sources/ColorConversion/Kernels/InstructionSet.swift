// SPDX-License-Identifier: GPL-2.0-or-later
#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#endif

/// The row kernels for an instruction set.
///
/// Results are the same to the bit for all of them. The baseline of x86, which has no instruction
/// that multiplies and adds, does so in double precision, which is slower.
package enum InstructionSet: String, CaseIterable, Sendable {
  /// Instructions that every processor of the architecture has.
  case baseline
  /// AVX2, FMA and F16C (Intel Haswell, AMD Zen).
  case avx2
  /// AVX-512 F, BW, DQ, VL (Intel Skylake-X, AMD Zen 4).
  case avx512

  /// The one that the environment names where this processor has it, or else the best.
  static let current = (try? named()) ?? best

  /// The best that this processor and its system have.
  static let best = available.last ?? .baseline

  /// Instruction sets that this processor has, the slowest first.
  static let available: [InstructionSet] = {
    let flags = processorFlags()
    return allCases.filter { $0.flags.isSubset(of: flags) }
  }()

  /// The names that Linux has for the instructions that are used.
  private var flags: Set<Substring> {
    #if arch(x86_64)
    switch self {
    case .baseline: []
    case .avx2: ["avx2", "fma", "f16c", "bmi1", "bmi2", "movbe"]
    case .avx512:
      Self.avx2.flags.union(["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"])
    }
    #else
    self == .baseline ? [] : ["never"]
    #endif
  }

  /// Flags of the processor, as the system states them; empty where it states none.
  private static func processorFlags() -> Set<Substring> {
    guard let file = unsafe fopen("/proc/cpuinfo", "re") else { return [] }
    defer { unsafe _ = fclose(file) }
    var text = [CChar](repeating: 0, count: 8192)
    // The first processor's lines; all are alike.
    let count = unsafe fread(&text, 1, text.count - 1, file)
    let lines = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let line = lines.split(separator: "\n").first { $0.hasPrefix("flags") }
    return Set(line?.split(separator: " ") ?? [])
  }

  /// The name that processors' makers have.
  var title: String {
    switch self {
    case .baseline: "the baseline"
    case .avx2: "AVX2"
    case .avx512: "AVX-512"
    }
  }

  /// The kernels.
  var kernels: RowKernelTable {
    switch self {
    #if arch(x86_64)
    case .avx512: .avx512
    case .avx2: .avx2
    #endif
    default: .baseline
    }
  }
}

/// Processors on which frames are converted to the same samples, to the bit.
///
/// Kernels are the same on all of them. The C library is not: its logarithm and exponential have
/// other code for processors without an instruction that multiplies and adds, and other last bits.
package enum KernelClass: String, Sendable, Codable {
  /// Processors with an instruction that multiplies and adds: AVX2, AVX-512.
  case fused
  /// The others.
  case separate

  /// The instruction set in use, for people.
  package static var instructionSet: String { InstructionSet.current.title }

  /// The class of this processor.
  package static let current: KernelClass =
    InstructionSet.current == .baseline ? .separate : .fused
}
