// SPDX-License-Identifier: GPL-2.0-or-later
// Names of x264.h that do not import into Swift: the preprocessor makes them.
#ifndef CANDELA_CX264_SHIM_H
#define CANDELA_CX264_SHIM_H

#include <stdint.h>
#include <x264.h>

// The macro pastes the build number onto the name, so that library and header cannot differ.
static inline x264_t *candela_x264_encoder_open(x264_param_t *param) {
  return x264_encoder_open(param);
}

static inline int candela_x264_build(void) { return X264_BUILD; }

#endif
