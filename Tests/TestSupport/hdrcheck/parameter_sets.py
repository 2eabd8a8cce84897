# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads sequence parameter sets of H.264 and H.265, up to the chroma location in their VUI."""

from fields import Bits, BrokenFile

AVC_WITH_CHROMA_FORMAT = (100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135)


def sequence(unit):
    """What a sequence parameter set states."""
    bits = Bits(unit.rbsp, "the sequence parameter set")
    facts = avc_sequence(bits) if unit.codec == "avc" else hevc_sequence(bits)
    facts["vui"] = usability(bits) if bits.flag() else UNSTATED
    return facts


# The first item has the primaries, transfer function, matrix and range. The second one is the
# chroma location.
UNSTATED = ([None, None, None, None], None)


def usability(bits):
    """The beginning of the VUI, the same in both standards (annex E, E.1.1 and E.2.1)."""
    if bits.flag() and bits.fixed(8) == 255:
        bits.fixed(32)
    if bits.flag():
        bits.fixed(1)
    color, chroma = [None] * 4, None
    if bits.flag():
        bits.fixed(3)
        color[3] = bits.fixed(1)
        if bits.flag():
            color[:3] = [bits.fixed(8) for _ in range(3)]
    if bits.flag():
        chroma = bits.unsigned()
        bits.unsigned()
    return color, chroma


# MARK: H.264


def avc_sequence(bits):
    """seq_parameter_set_data() up to vui_parameters_present_flag (H.264, 7.3.2.1.1)."""
    profile = bits.fixed(8)
    bits.fixed(16)
    bits.unsigned()
    chroma, depth, depth_chroma = 1, 8, 8
    if profile in AVC_WITH_CHROMA_FORMAT:
        chroma = bits.count(3)
        if chroma == 3:
            bits.flag()
        depth, depth_chroma = bits.unsigned() + 8, bits.unsigned() + 8
        bits.flag()
        if bits.flag():
            for index in range(12 if chroma == 3 else 8):
                if bits.flag():
                    avc_scaling_list(bits, 16 if index < 6 else 64)
    bits.unsigned()
    avc_order_of_pictures(bits)
    bits.unsigned()
    bits.flag()
    bits.unsigned()
    bits.unsigned()
    has_frames_only = bits.flag()
    if not has_frames_only:
        bits.flag()
    bits.flag()
    if bits.flag():
        for _ in range(4):
            bits.unsigned()
    return {
        "profile": profile,
        "chroma_format": chroma,
        "bit_depth": depth,
        "bit_depth_chroma": depth_chroma,
    }


def avc_scaling_list(bits, size):
    """scaling_list() (H.264, 7.3.2.1.1.1): nothing is written after a zero scale."""
    last = 8
    for _ in range(size):
        last = (last + bits.signed()) % 256
        if last == 0:
            return


def avc_order_of_pictures(bits):
    """The fields of pic_order_cnt_type (H.264, 7.3.2.1.1)."""
    kind = bits.count(2)
    if kind == 0:
        bits.unsigned()
    elif kind == 1:
        bits.flag()
        bits.signed()
        bits.signed()
        for _ in range(bits.count(255)):
            bits.signed()


# MARK: H.265


def hevc_sequence(bits):
    """seq_parameter_set_rbsp() up to vui_parameters_present_flag (H.265, 7.3.2.2.1)."""
    bits.fixed(4)
    sub_layers = bits.fixed(3)
    bits.flag()
    profile = profile_tier_level(bits, sub_layers)
    bits.unsigned()
    chroma = bits.count(3)
    if chroma == 3:
        bits.flag()
    bits.unsigned()
    bits.unsigned()
    if bits.flag():
        for _ in range(4):
            bits.unsigned()
    depth, depth_chroma = bits.unsigned() + 8, bits.unsigned() + 8
    order_bits = bits.count(12) + 4
    for _ in range(sub_layers + 1 if bits.flag() else 1):
        for _ in range(3):
            bits.unsigned()
    for _ in range(6):
        bits.unsigned()
    if bits.flag() and bits.flag():
        hevc_scaling_lists(bits)
    bits.fixed(2)
    if bits.flag():
        bits.fixed(8)
        bits.unsigned()
        bits.unsigned()
        bits.flag()
    reference_picture_sets(bits)
    if bits.flag():
        for _ in range(bits.count(32)):
            bits.fixed(order_bits + 1)
    bits.fixed(2)
    return {
        "profile": profile,
        "chroma_format": chroma,
        "bit_depth": depth,
        "bit_depth_chroma": depth_chroma,
    }


def profile_tier_level(bits, sub_layers):
    """Reads profile_tier_level(), and returns general_profile_idc (H.265, 7.3.3)."""
    profile = bits.fixed(8) & 31
    bits.fixed(32 + 48 + 8)
    present = [(bits.flag(), bits.flag()) for _ in range(sub_layers)]
    if sub_layers:
        bits.fixed(2 * (8 - sub_layers))
    for has_profile, has_level in present:
        bits.fixed(88 * has_profile + 8 * has_level)
    return profile


def hevc_scaling_lists(bits):
    """scaling_list_data() (H.265, 7.3.4)."""
    for size in range(4):
        for _ in range(2 if size == 3 else 6):
            if not bits.flag():
                bits.unsigned()
                continue
            if size > 1:
                bits.signed()
            for _ in range(min(64, 16 << 2 * size)):
                bits.signed()


def reference_picture_sets(bits):
    """Reads every st_ref_pic_set() of the parameter set (H.265, 7.3.7). How long a predicted set is
    depends on the pictures of the set before it (7.4.8), so the distances of those pictures have to
    be known."""
    previous = []
    for index in range(bits.count(64)):
        if index and bits.flag():
            previous = predicted_set(bits, previous)
        else:
            negative, positive = bits.count(16), bits.count(16)
            previous = distances(bits, negative, -1) + distances(bits, positive, 1)


def distances(bits, count, sign):
    """The distances of the pictures before or after the current one, the nearest first."""
    found, distance = [], 0
    for _ in range(count):
        distance += bits.unsigned() + 1
        bits.flag()
        found.append(sign * distance)
    return found


def predicted_set(bits, previous):
    """A set that is predicted by moving the pictures of the set before it (H.265, 7.4.8, equations
    7-61 and 7-62)."""
    is_negative = bits.flag()
    shift = (bits.unsigned() + 1) * (-1 if is_negative else 1)
    kept = []
    for distance in previous + [0]:
        is_used = bits.flag()
        if (is_used or bits.flag()) and distance + shift:
            kept.append(distance + shift)
    if len(kept) > 16:
        raise BrokenFile("%s predicts more than 16 reference pictures" % bits.name)
    earlier = sorted((distance for distance in kept if distance < 0), reverse=True)
    return earlier + sorted(distance for distance in kept if distance > 0)
