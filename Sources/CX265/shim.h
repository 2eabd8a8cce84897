// SPDX-License-Identifier: GPL-2.0-or-later
// Names of x265.h that do not import into Swift: the preprocessor makes them.
#ifndef CANDELA_CX265_SHIM_H
#define CANDELA_CX265_SHIM_H

#include <x265.h>

// The macro pastes the build number onto the name, so that library and header cannot differ.
// Returns NULL where the library was not built for that bit depth.
static inline const x265_api *candela_x265_api_get(int bitDepth) { return x265_api_get(bitDepth); }

// Arrays of 3 in x265 3.5 and of 4 in 4.1, which are tuples of different types in Swift. x265 takes
// pointers to mutable samples and does not write to them.
static inline void candela_x265_set_plane(
    x265_picture *picture, int index, const void *samples, int bytesPerRow) {
  picture->planes[index] = (void *)samples;
  picture->stride[index] = bytesPerRow;
}

static inline const void *candela_x265_plane(const x265_picture *picture, int index) {
  return picture->planes[index];
}

// Bytes from one row to the next.
static inline int candela_x265_stride(const x265_picture *picture, int index) {
  return picture->stride[index];
}

#endif
