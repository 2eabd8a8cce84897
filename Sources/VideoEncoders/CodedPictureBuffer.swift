// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import MediaCore

/// The buffer in front of a decoder (H.264 and H.265, annex C). The encoders' options call it VBV.
/// An encoder that knows this buffer keeps it from running empty.
package struct CodedPictureBuffer: Hashable, Sendable {
  /// The maximum number of bits that arrive in each second.
  package let rate: Double
  /// The maximum number of bits that fit into the buffer.
  package let size: Double
  /// The share of the buffer, from 0 to 1, that is full before the first frame.
  package let start: Double

  /// The share of the buffer that is assumed to be full at the start of every segment except the
  /// first. The segment before has to leave at least this share. Most segments leave enough,
  /// because encoders that look ahead keep the buffer about half full.
  package static let seam = 0.4
  /// The share that x264 and x265 begin with if no option says otherwise.
  private static let usualStart = 0.9

  /// The encoders' names for the options of the buffer. The rate is in kbit/s, the size in kbit.
  /// The start is a share or an amount in kbit.
  package static let (rateOption, sizeOption, startOption) = (
    "vbv-maxrate", "vbv-bufsize", "vbv-init"
  )

  /// Whether options with these names describe a buffer.
  package static func isDescribed(by names: [String]) -> Bool {
    !Set(names.map(\.optionWithHyphens)).isDisjoint(with: [sizeOption, rateOption])
  }

  /// Reads the buffer from an encoder's options. Returns `nil` if they describe none.
  init?(_ options: [String: String]) {
    let values = options.reduce(into: [String: Double]()) { values, option in
      values[option.key.optionWithHyphens] = Double(option.value)
    }
    // x264 and x265 take the rate and the size as integers of 32 bits.
    let range = 1...Double(Int32.max)
    guard let rate = values[Self.rateOption], let size = values[Self.sizeOption],
      range.contains(rate), range.contains(size)
    else { return nil }
    let start = values[Self.startOption] ?? Self.usualStart
    guard start >= 0, start <= size || start <= 1 else { return nil }
    // x264 and x265 read a `vbv-init` of at most 1 as a share, and a larger one as thousands of
    // bits.
    (self.rate, self.size) = (rate * 1000, size * 1000)
    self.start = start <= 1 ? start : start / size
  }
}

/// Computes how full a coded picture buffer is. Each frame is taken out at its decode time.
package struct BufferFullness: Sendable {
  private let buffer: CodedPictureBuffer
  private var bits: Double
  private var last: MediaTime?
  private var interval = 0.0
  /// Whether a frame was taken out before all of its data had arrived.
  package private(set) var hasRunEmpty = false
  /// The time from the first frame to the last, in seconds of decode time.
  package private(set) var seconds = 0.0

  /// Begins with a buffer that is full to the given share, from 0 to 1.
  package init(_ buffer: CodedPictureBuffer, share: Double) {
    self.buffer = buffer
    bits = share * buffer.size
  }

  /// Takes the next sample out of the buffer.
  package mutating func take(_ sample: EncodedSample) {
    if let last {
      interval = (sample.decodeTimeStamp - last).seconds
      seconds += interval
      // A full buffer takes no more bits. If the rate is variable, bits stop arriving (annex C).
      bits = min(bits + interval * buffer.rate, buffer.size)
    }
    last = sample.decodeTimeStamp
    bits -= Double(8 * sample.bytes.count)
    if bits < 0 { hasRunEmpty = true }
  }

  /// The share that will be full when the next frame is taken out. The interval until then is
  /// assumed to be the same as the last one.
  package var share: Double { min(bits + interval * buffer.rate, buffer.size) / buffer.size }
}

extension VideoEncoderSettings {
  /// The buffer that must not run empty; `nil` if the options name none, or if the rate control is
  /// not a constant rate factor.
  package var buffer: CodedPictureBuffer? {
    // For an average bit rate, one encoder must see the whole file. Such a file is never encoded in
    // segments, so no segment has to know how full the buffer is.
    if case .constantRateFactor = rateControl { CodedPictureBuffer(options) } else { nil }
  }

  /// Whether the rate of the buffer is so high that few scenes reach it.
  var hasLooseBuffer: Bool {
    guard let buffer else { return false }
    let pixels = Double(size.width) * Double(size.height) * frameRate.framesPerSecond
    return buffer.rate >= Self.rareBitsPerPixel * pixels
  }

  // Few scenes need so many bits per pixel: at a rate factor of 20, a phone clip of 1920×1080 took
  // 0.11.
  private static let rareBitsPerPixel = 0.12

  /// Removes the options of the buffer.
  package mutating func removeBuffer() {
    removeOptions([
      CodedPictureBuffer.startOption, CodedPictureBuffer.rateOption, CodedPictureBuffer.sizeOption,
    ])
  }

  /// Sets the share that is full at the start, from 0 to 1, and the rate in bits per second.
  package mutating func setBuffer(start: Double, rate: Double) {
    removeOptions([CodedPictureBuffer.startOption, CodedPictureBuffer.rateOption])
    options[CodedPictureBuffer.startOption] = "\(start)"
    options[CodedPictureBuffer.rateOption] = "\(Int(rate / 1000))"
  }

  private mutating func removeOptions(_ removed: [String]) {
    // Compare names with hyphens. Otherwise an option that the caller spelled with underscores
    // would stay, and the encoder would get it twice.
    options = options.filter { name, _ in !removed.contains(name.optionWithHyphens) }
  }
}
