// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// Converts decoded audio to the channels, sample rate and type of samples that an encoder takes.
/// Unless channels are mixed or the sample rate changes, samples keep their values as exactly as
/// the new type can hold them.
package final class AudioConversion {
  /// The format of the resulting samples.
  package let target: AudioFormat

  // A track may change its format in the middle, so the chain is made when samples arrive.
  private var chain: Chain?

  private struct Chain {
    let source: AudioFormat
    let first: AudioConverter?
    /// Limits the sums of mixed channels; `nil` if no channels are mixed.
    var limiter: PeakLimiter?
    var last: AudioConverter?
    /// The format after mixing: the target's sample rate and layout, with floating-point samples.
    let mixed: AudioFormat
  }

  package init(to target: AudioFormat) { self.target = target }

  /// Converts samples. It may hold some of them back.
  package func convert(_ buffer: AudioBuffer) throws(LibAVError) -> [AudioBuffer] {
    var buffers: [AudioBuffer] = []
    if let chain, chain.source != buffer.format { buffers = try finish() }
    if chain == nil { chain = try makeChain(buffer.format) }
    return buffers + (try pass(buffer))
  }

  /// Returns the samples that were held back. Later samples are converted by a new chain.
  package func finish() throws(LibAVError) -> [AudioBuffer] {
    guard chain != nil else { return [] }
    var buffers = try pass(nil)
    // Empty the stages in the order of the chain. Samples that the resampler held back still have
    // to go through the limiter.
    if let rest = chain?.limiter?.finish(), let mixed = chain?.mixed {
      let limited = try AudioBuffer(rest, mixed)
      buffers += [try chain?.last?.convert(limited) ?? limited]
      if let last = try chain?.last?.convert(nil) { buffers.append(last) }
    }
    chain = nil
    return buffers.filter { $0.sampleCount > 0 }
  }

  private func pass(_ buffer: AudioBuffer?) throws(LibAVError) -> [AudioBuffer] {
    guard let chain else { return [] }
    let converted: AudioBuffer?
    if let first = chain.first {
      converted = try first.convert(buffer)
    } else {
      converted = try buffer?.relabeled(target.layout)
    }
    guard let converted, converted.sampleCount > 0 else { return [] }
    guard let limited = self.chain?.limiter?.limit(converted.channels) else { return [converted] }
    let mixed = try AudioBuffer(limited, chain.mixed)
    guard mixed.sampleCount > 0 else { return [] }
    return [try chain.last?.convert(mixed) ?? mixed]
  }

  private func makeChain(_ source: AudioFormat) throws(LibAVError) -> Chain {
    let mixed = AudioFormat(sampleRate: target.sampleRate, layout: target.layout)
    if source.layout == target.layout
      || source.layout.named(among: [target.layout]) != nil
      // Channels can only be mixed if their places are known. Otherwise they keep their order.
      || source.layout.channelCount == target.layout.channelCount && target.layout.mask == 0
    {
      var named = source
      named.layout = target.layout
      let first = named == target ? nil : try AudioConverter(from: named, to: target)
      return Chain(source: source, first: first, limiter: nil, last: nil, mixed: mixed)
    }
    guard let mix = source.layout.mix(to: target.layout) else {
      throw LibAVError(
        "swr_set_matrix", candela_averror_patchwelcome(),
        context: "\(source.layout) to \(target.layout)")
    }
    return Chain(
      source: source, first: try AudioConverter(from: source, to: mixed, mix: mix),
      limiter: PeakLimiter(
        sampleRate: target.sampleRate, channelCount: target.layout.channelCount),
      last: mixed == target ? nil : try AudioConverter(from: mixed, to: target), mixed: mixed)
  }
}
