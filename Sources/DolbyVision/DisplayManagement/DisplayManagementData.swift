// SPDX-License-Identifier: GPL-2.0-or-later
/// The metadata for displays: `vdr_dm_data_payload` (ETSI GS CCM 001).
package struct DisplayManagementData: Hashable, Sendable {
  /// `affected_dm_metadata_id`, 0 to 15.
  package var affectedDMMetadataID: UInt32
  /// `current_dm_metadata_id`, 0 to 15.
  package var currentDMMetadataID: UInt32

  // Phones with iOS 14 set `scene_refresh_flag` in every frame, so it does not always mark a shot.
  /// `scene_refresh_flag`: 1 in the first frame of a shot, else 0.
  package var sceneRefreshFlag: UInt32
  /// The static part, or `nil` if the metadata is compressed. The static part and the static blocks
  /// of an earlier unit then apply instead (``StaticMetadata``).
  package var color: ColorMetadata?
  /// The extension blocks of CM v2.9: levels 1, 2, 4, 5, 6 and 255.
  package var cmv29: ExtensionBlockGroup
  /// The extension blocks of CM v4.0: levels 3, 8, 9, 10, 11 and 254. `nil` if the group is absent.
  package var cmv40: ExtensionBlockGroup?

  package init(
    affectedDMMetadataID: UInt32 = 0, currentDMMetadataID: UInt32 = 0,
    sceneRefreshFlag: UInt32 = 0, color: ColorMetadata?,
    cmv29: ExtensionBlockGroup = ExtensionBlockGroup(), cmv40: ExtensionBlockGroup? = nil
  ) {
    self.affectedDMMetadataID = affectedDMMetadataID
    self.currentDMMetadataID = currentDMMetadataID
    self.sceneRefreshFlag = sceneRefreshFlag
    self.color = color
    self.cmv29 = cmv29
    self.cmv40 = cmv40
  }

  /// The version of content mapping that the blocks need.
  package var version: ContentMappingVersion { cmv40 == nil ? .v29 : .v40 }

  /// All blocks, in order.
  package var blocks: [ExtensionBlock] { cmv29.blocks + (cmv40?.blocks ?? []) }
}

extension DisplayManagementData {

  mutating func code(
    _ coder: inout some SyntaxCoder, _ header: RPUHeader
  ) throws(DolbyVisionError) {
    try coder.ue(&affectedDMMetadataID, "affected_dm_metadata_id")
    try coder.ue(&currentDMMetadataID, "current_dm_metadata_id")
    try coder.ue(&sceneRefreshFlag, "scene_refresh_flag")
    // When writing, `resize` refuses a list of the wrong length. So put the static part into a list
    // of at most one element, to check that the header and `color` agree on whether it is present.
    var parts = color.map { [$0] } ?? []
    try coder.resize(
      &parts, to: header.isDisplayManagementCompressed ? 0 : 1,
      with: ColorMetadata(sourceMinPQ: 0, sourceMaxPQ: 0), "YCCtoRGB_coef and what follows")
    color = parts.first
    try color?.code(&coder)
    try cmv29.code(&coder, .v29)
    // Nothing in the syntax announces the second group, so readers recognize it by the number of
    // bits that are left.
    guard coder.hasSecondGroup(cmv40 != nil) else {
      cmv40 = nil
      return
    }
    var second = cmv40 ?? ExtensionBlockGroup()
    try second.code(&coder, .v40)
    cmv40 = second
  }
}
