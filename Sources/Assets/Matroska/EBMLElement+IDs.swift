// SPDX-License-Identifier: GPL-2.0-or-later

// IDs with their length markers, of EBML (RFC 8794, 11) and of Matroska (RFC 9559, 5).
extension EBMLElement {
  package static let segmentID: UInt32 = 0x1853_8067
  package static let clusterID: UInt32 = 0x1F43_B675
  package static let seekHeadID: UInt32 = 0x114D_9B74
  package static let seekEntryID: UInt32 = 0x4DBB
  package static let seekPositionID = EBMLField.seekPosition.id
  package static let tracksID: UInt32 = 0x1654_AE6B
  package static let trackEntryID: UInt32 = 0xAE
  package static let trackNumberID: UInt32 = 0xD7
  package static let maxBlockAdditionID: UInt32 = 0x55EE
  package static let blockAdditionMappingID: UInt32 = 0x41E4
  package static let blockAddIDValueID: UInt32 = 0x41F0
  package static let blockAddIDTypeID: UInt32 = 0x41E7
  package static let blockGroupID: UInt32 = 0xA0
  package static let blockID: UInt32 = 0xA1
  package static let blockAdditionsID: UInt32 = 0x75A1
  package static let blockMoreID: UInt32 = 0xA6
  package static let blockAddIDID: UInt32 = 0xEE
  package static let voidID: UInt32 = 0xEC
  package static let checksumID: UInt32 = 0xBF
}
