// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CX264

/// Two sets of an x264 encoder's parameters. They differ in how thoroughly x264 analyzes frames.
@safe
final class X264Analysis {
  /// The parameters that the encoder was opened with.
  let full: UnsafeMutablePointer<x264_param_t>
  /// The same parameters, but with the quickest analysis.
  let quick: UnsafeMutablePointer<x264_param_t>

  init(of encoder: OpaquePointer) {
    unsafe full = .allocate(capacity: 1)
    unsafe full.initialize(to: x264_param_t())
    unsafe x264_encoder_parameters(encoder, full)
    unsafe quick = .allocate(capacity: 1)
    unsafe quick.initialize(to: full.pointee)
    // None of these parameters affects the lookahead, so rate control learns as much from the quick
    // analysis as from the full one. Frames before a segment have no other purpose.
    unsafe quick.pointee.i_frame_reference = 1
    unsafe quick.pointee.analyse.i_me_method = X264_ME_DIA
    unsafe quick.pointee.analyse.i_subpel_refine = min(full.pointee.analyse.i_subpel_refine, 1)
    unsafe quick.pointee.analyse.i_trellis = 0
    unsafe quick.pointee.analyse.b_mixed_references = 0
    unsafe quick.pointee.analyse.intra = 0
    unsafe quick.pointee.analyse.inter = 0
  }

  deinit {
    unsafe full.deallocate()
    unsafe quick.deallocate()
  }
}

#endif
