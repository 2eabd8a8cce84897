# SPDX-License-Identifier: GPL-2.0-or-later
"""Scores a difference by ColorVideoVDP: 10 if it is invisible, and 1 less for each JOD.

A JOD is a just-objectionable difference. The metric compares contrasts, so it does not see a change
of exposure that is the same everywhere.
"""

from functools import cache

import numpy as np


def _import():
    """Imports cvvdp, which uses only one function of torchvision, a blur in pure Python.

    Torchvision's compiled part fits only the torch that has CUDA. Without that part, torchvision
    can be imported only if `nms` and `qnms` are defined.
    """
    import torch

    torch.set_num_threads(1)  # processes already share the work
    try:
        import torchvision
    except RuntimeError:
        library = torch.library.Library("torchvision", "FRAGMENT")
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import pycvvdp

    return pycvvdp


@cache
def _metric():
    """Returns the metric for a 4K display that can show all of the light, in a room of 10 lux."""
    package = _import()
    display = package.display_model.vvdp_display_photo_eotf(
        4000, contrast=1e6, source_colorspace="BT.2020-linear", E_ambient=10
    )
    return package.cvvdp("standard_hdr_linear", display_photometry=display, quiet=True)


def difference(reference, result):
    light = (np.asarray(picture, np.float32) for picture in (result, reference))
    return float(_metric().predict(*light, dim_order="HWC")[0])
