// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// A box (QuickTime: atom) as an editable tree: a type, fields, children, and any bytes after the
/// children.
///
/// A box that is read and written again has the same bytes, even if its type is unknown. Only its
/// size may be written in another form: in 32 bits if these are enough.
package struct Box: Hashable, Sendable {
  package var type: FourCC
  /// The 16-byte user type of a `uuid` box.
  package var userType: [UInt8]?
  /// The bytes before the children; the whole payload if the box has no children.
  package var fields: [UInt8]
  package var children: [Box]
  /// Bytes after the last child: padding, or the four zero bytes that end some QuickTime lists.
  package var trailer: [UInt8]

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

  /// The size of the box in bytes, header included.
  package var size: Int {
    let body =
      (userType?.count ?? 0) + fields.count + children.reduce(0) { $0 + $1.size } + trailer.count
    return body + (body + 8 > Int(UInt32.max) ? 16 : 8)
  }

  /// The box as it is written to a file.
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

  /// Returns the first child of a type.
  package func child(_ type: FourCC) -> Box? { children.first { $0.type == type } }

  /// Returns the children of a type.
  package func children(_ type: FourCC) -> [Box] { children.filter { $0.type == type } }

  /// Follows a path of types downward and returns the first box that matches it.
  package func first(_ path: FourCC...) -> Box? {
    var box: Box? = self
    for type in path { box = box?.child(type) }
    return box
  }

  /// Edits the box at a path of types. Does nothing if no box is there.
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

  /// Replaces the first child of the same type. If there is no such child, appends the box.
  package mutating func set(_ child: Box) {
    if let index = children.firstIndex(where: { $0.type == child.type }) {
      children[index] = child
    } else {
      children.append(child)
    }
  }

  /// Replaces the children of the same type with this box. If there are none, inserts the box after
  /// the last child that has one of the given types, or else at the end.
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
