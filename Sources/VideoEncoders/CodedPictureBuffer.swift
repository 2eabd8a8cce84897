// SPDX-License-Identifier: GPL-2.0-or-later
package import MediaCore

/// The buffer before a decoder (H.264 and H.265, annex C) that encoders keep from running empty
/// where their options ask for it: VBV.
package struct CodedPictureBuffer: Hashable, Sendable {
  /// The bits that come in each second, at most.
  package let rate: Double
  /// The bits that it holds.
  package let size: Double
  /// The share that is full before the first frame of all.
  package let start: Double

  /// The share that is full before the first frame of every segment but the first. Encoders that
  /// look ahead keep about half of it.
  package static let seam = 0.4
  /// The share that encoders begin with where nothing is stated.
  private static let usualStart = 0.9

  /// The options that describe it, in the encoders' own names: its rate and size in thousands of
  /// bits, and its start, also as a share.
  package static let (rateOption, sizeOption, startOption) = (
    "vbv-maxrate", "vbv-bufsize", "vbv-init"
  )

  /// The buffer that options of an encoder describe; nil where they do not.
  init?(_ options: [String: String]) {
    let values = options.reduce(into: [String: Double]()) { values, option in
      values[option.key.replacing("_", with: "-")] = Double(option.value)
    }
    guard let rate = values[Self.rateOption], let size = values[Self.sizeOption], rate >= 1,
      size >= 1
    else { return nil }
    let start = values[Self.startOption] ?? Self.usualStart
    guard start >= 0, start <= size || start <= 1 else { return nil }
    (self.rate, self.size) = (rate * 1000, size * 1000)
    self.start = start <= 1 ? start : start / size
  }
}

/// The fullness of a coded picture buffer while frames are taken out of it, each at its decode
/// time.
package struct BufferFullness: Sendable {
  private let buffer: CodedPictureBuffer
  private var bits: Double
  private var last: MediaTime?
  /// Time between the last two frames, in seconds.
  private var interval = 0.0
  /// Duration of the frames before the last, in seconds.
  package private(set) var seconds = 0.0

  /// A buffer of which a share is full.
  package init(_ buffer: CodedPictureBuffer, share: Double) {
    self.buffer = buffer
    bits = share * buffer.size
  }

  /// Takes the next sample out.
  package mutating func take(_ sample: EncodedSample) {
    if let last {
      interval = (sample.decodeTimeStamp - last).seconds
      seconds += interval
      bits = min(bits + interval * buffer.rate, buffer.size)
    }
    last = sample.decodeTimeStamp
    bits -= Double(8 * sample.bytes.count)
  }

  /// The share that is full when the frame behind the last is taken out.
  package var share: Double { min(bits + interval * buffer.rate, buffer.size) / buffer.size }
}

extension VideoEncoderSettings {
  /// The buffer that must not run empty; nil where none is asked for.
  package var buffer: CodedPictureBuffer? {
    if case .constantRateFactor = rateControl { CodedPictureBuffer(options) } else { nil }
  }

  /// Makes the encoder begin with a buffer of which a share is full, and that so many bits fill
  /// each second.
  package mutating func setBuffer(start: Double, rate: Double) {
    let own = [CodedPictureBuffer.startOption, CodedPictureBuffer.rateOption]
    options = options.filter { !own.contains($0.key.replacing("_", with: "-")) }
    options[CodedPictureBuffer.startOption] = "\(start)"
    options[CodedPictureBuffer.rateOption] = "\(Int(rate / 1000))"
  }
}
