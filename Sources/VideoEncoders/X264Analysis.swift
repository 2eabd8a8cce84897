// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CX264

/// How thoroughly x264 analyzes frames: as the settings ask, or quickly.
@safe
final class X264Analysis {
  /// The parameters that the encoder was opened with.
  let full: UnsafeMutablePointer<x264_param_t>
  /// The same parameters with the quickest search.
  let quick: UnsafeMutablePointer<x264_param_t>

  init(of encoder: OpaquePointer) {
    unsafe full = .allocate(capacity: 1)
    unsafe full.initialize(to: x264_param_t())
    unsafe x264_encoder_parameters(encoder, full)
    unsafe quick = .allocate(capacity: 1)
    unsafe quick.initialize(to: full.pointee)
    // None of these affects the lookahead, so rate control learns from a quick frame what it would
    // learn from a thorough one. Frames before a segment have no other purpose.
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
