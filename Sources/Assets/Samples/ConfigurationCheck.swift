// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ISOBMFF

/// A codec's configuration, compared with the samples.
package struct ConfigurationCheck: Hashable, Sendable {
  /// A text for each fault.
  package let faults: [String]
  /// The configuration to use instead; `nil` to keep the stated one. There may be one although
  /// nothing is wrong, because the stated one lacks what is optional.
  package let replacement: [UInt8]?

  /// A notice about the faults, if there are any.
  package var notices: [Notice] { faults.isEmpty ? [] : [.configurationWrong(faults)] }

  /// The check itself if there are faults. Where everything else stays as it is, a configuration that
  /// is not wrong stays as well.
  package var ifWrong: ConfigurationCheck? { faults.isEmpty ? nil : self }

  /// Puts the replacement into the sample entry of the samples.
  package func correct(_ entry: inout Box) {
    guard let replacement, let type = SampleEntry(entry).configuration?.bitstream.configurationBox
    else { return }
    entry.edit(type) { $0.fields = replacement }
  }
}
