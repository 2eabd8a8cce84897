// SPDX-License-Identifier: GPL-2.0-or-later
/// The extension blocks of one version of content mapping, in order.
package struct ExtensionBlockGroup: Hashable, Sendable {
  package var blocks: [ExtensionBlock]
  /// `dm_alignment_zero_bit`: the bits between the number of blocks and the first block. Normally
  /// 0.
  package var alignmentBits: UInt8

  package init(_ blocks: [ExtensionBlock] = [], alignmentBits: UInt8 = 0) {
    self.blocks = blocks
    self.alignmentBits = alignmentBits
  }

  /// Returns the blocks of a level.
  package func blocks(ofLevel level: UInt8) -> [ExtensionBlock] {
    blocks.filter { $0.level == level }
  }

  /// Replaces all blocks of a level with this block. If there are none, inserts the block before
  /// the first higher level. `nil` removes the level.
  mutating func replace(level: UInt8, with block: ExtensionBlock?) {
    // Alignment bits other than 0 could only have a meaning for the old blocks, so clear them.
    alignmentBits = 0
    let place =
      blocks.firstIndex { $0.level == level } ?? blocks.firstIndex { $0.level > level }
      ?? blocks.count
    // No removed block comes before `place`, because blocks of this level begin there at the
    // earliest. So `place` stays valid.
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
    // No memory is reserved in advance. If the count is too large, reading fails when the data
    // ends.
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
