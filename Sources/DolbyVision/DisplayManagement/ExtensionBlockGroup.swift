// SPDX-License-Identifier: GPL-2.0-or-later
/// The extension blocks of one version of content mapping: `num_ext_blocks` and the blocks, in
/// their order.
package struct ExtensionBlockGroup: Hashable, Sendable {
  /// The blocks.
  package var blocks: [ExtensionBlock]
  /// `dm_alignment_zero_bit`: the bits between the number of blocks and the first; 0 but in odd
  /// streams.
  package var alignmentBits: UInt8

  /// A group of blocks.
  package init(_ blocks: [ExtensionBlock] = [], alignmentBits: UInt8 = 0) {
    self.blocks = blocks
    self.alignmentBits = alignmentBits
  }

  /// The blocks of a level.
  package func blocks(ofLevel level: UInt8) -> [ExtensionBlock] {
    blocks.filter { $0.level == level }
  }

  /// Puts a block in the place of all of its level, or before the first of a higher level; nil
  /// removes the level. Bits of alignment become 0.
  mutating func replace(level: UInt8, with block: ExtensionBlock?) {
    alignmentBits = 0
    let place =
      blocks.firstIndex { $0.level == level } ?? blocks.firstIndex { $0.level > level }
      ?? blocks.count
    // Nothing of this level lies before the place.
    blocks.removeAll { $0.level == level }
    if let block { blocks.insert(block, at: place) }
  }
}

extension ExtensionBlockGroup {
  mutating func code(
    _ coder: inout some SyntaxCoder, _ version: ContentMappingVersion
  ) throws(DolbyVisionError) {
    var count = blocks.count
    try coder.ue(&count, "num_ext_blocks", in: 0...Int(UInt32.max))
    try coder.alignment(&alignmentBits, "dm_alignment_zero_bit")
    // A number that lies is found out by the end of the data, before memory is used for it.
    var coded: [ExtensionBlock] = []
    for index in 0..<count {
      var block =
        index < blocks.count ? blocks[index] : ExtensionBlock.other(level: 0, payload: [])
      try block.code(&coder, in: version)
      coded.append(block)
    }
    blocks = coded
  }
}
