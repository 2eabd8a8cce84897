// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// A box (QuickTime: atom) as a tree that can be edited: a type, the fields before its children,
/// its children, and whatever follows them.
///
/// Writing what was read gives the same bytes, also for boxes of unknown types.
package struct Box: Hashable, Sendable {
  /// The type.
  package var type: FourCC
  /// The 16 bytes of a user type, for type `uuid`.
  package var userType: [UInt8]?
  /// The fields; for a box without children, the whole payload.
  package var fields: [UInt8]
  /// The children.
  package var children: [Box]
  /// Bytes behind the last child: a zero terminator of QuickTime, padding.
  package var trailer: [UInt8]

  /// A box from its parts.
  package init(
    _ type: FourCC, userType: [UInt8]? = nil, fields: [UInt8] = [], children: [Box] = [],
    trailer: [UInt8] = []
  ) {
    self.type = type
    self.userType = userType
    self.fields = fields
    self.children = children
    self.trailer = trailer
  }

  /// The number of bytes that the box takes, header included.
  package var size: Int {
    let body =
      (userType?.count ?? 0) + fields.count + children.reduce(0) { $0 + $1.size } + trailer.count
    return body + (body + 8 > Int(UInt32.max) ? 16 : 8)
  }

  /// The box's bytes.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout ByteWriter) {
    let size = size
    writer.append(UInt32(exactly: size) ?? 1)
    writer.append(type.rawValue)
    if size > Int(UInt32.max) { writer.append(UInt64(size)) }
    writer.append(userType ?? [])
    writer.append(fields)
    for child in children { child.write(to: &writer) }
    writer.append(trailer)
  }

  /// The first child of a type.
  package func child(_ type: FourCC) -> Box? { children.first { $0.type == type } }

  /// The children of a type.
  package func children(_ type: FourCC) -> [Box] { children.filter { $0.type == type } }

  /// The first box along a path of types below this one.
  package func first(_ path: FourCC...) -> Box? {
    var box: Box? = self
    for type in path { box = box?.child(type) }
    return box
  }

  /// Edits the first box along a path of types; does nothing where there is none.
  package mutating func edit<Failure: Error>(
    _ path: FourCC..., by change: (inout Box) throws(Failure) -> Void
  ) throws(Failure) {
    try edit(path[...], by: change)
  }

  private mutating func edit<Failure: Error>(
    _ path: ArraySlice<FourCC>, by change: (inout Box) throws(Failure) -> Void
  ) throws(Failure) {
    guard let type = path.first else { return try change(&self) }
    guard let index = children.firstIndex(where: { $0.type == type }) else { return }
    try children[index].edit(path.dropFirst(), by: change)
  }

  /// Puts a box in the place of the first child of its type, or behind the last child.
  package mutating func set(_ child: Box) {
    if let index = children.firstIndex(where: { $0.type == child.type }) {
      children[index] = child
    } else {
      children.append(child)
    }
  }

  /// Puts a box in the place of the first child of its type, of which no other stays; where there
  /// is none, behind the last child of some types, or at the end.
  package mutating func set(_ child: Box, behind types: Set<FourCC>) {
    let place = children.firstIndex { $0.type == child.type }
    remove(child.type)
    let before = children.lastIndex { types.contains($0.type) }
    children.insert(child, at: place ?? before.map { $0 + 1 } ?? children.count)
  }

  /// Removes the children of a type.
  package mutating func remove(_ type: FourCC) {
    children.removeAll { $0.type == type }
  }
}
