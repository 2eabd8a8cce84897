# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds where the samples of a track are and when they are presented. Both are stated in sample
tables and in fragments."""

from dataclasses import dataclass

from fields import BrokenFile


@dataclass
class Sample:
    """A sample: its bytes in the file, and its composition time in the track's timescale."""

    offset: int
    size: int
    time: int


def samples(file, moov, trak):
    """All samples of a track in decoding order. Edit lists are ignored."""
    track = track_number(trak)
    found = tabled(trak.need("mdia", "minf", "stbl"), len(file.data))
    return found + fragmented(file, moov, track)


def track_number(trak):
    """track_ID (ISO/IEC 14496-12, 8.3.2)"""
    version, _, fields = trak.need("tkhd").full()
    fields.take(16 if version == 1 else 8)
    return fields.unsigned(4)


def tabled(table, file_size):
    """The samples of a sample table (8.7)."""
    sizes = sample_sizes(table.need("stsz"), file_size)
    if not sizes:
        return []
    times = composition_times(table, len(sizes))
    found = []
    for offset, count in chunks(table, len(sizes)):
        for _ in range(count):
            index = len(found)
            found.append(Sample(offset, sizes[index], times[index]))
            offset += sizes[index]
    return found


def sample_sizes(box, file_size):
    """Sample sizes (8.7.3.2)."""
    _, _, fields = box.full()
    common, count = fields.unsigned(4), fields.unsigned(4)
    if common == 0:
        return [size for size, in fields.table(count, 4)]
    if count * common > file_size:
        raise BrokenFile("'stsz' states %d samples of %d bytes" % (count, common))
    return [common] * count


def chunks(table, sample_count):
    """The offset of each chunk and how many samples it has (8.7.4 and 8.7.5)."""
    _, _, fields = table.need("stsc").full()
    runs = fields.table(fields.unsigned(4), 4, 4, 4)
    short = table.find("stco")
    _, _, fields = (short or table.need("co64")).full()
    offsets = fields.table(fields.unsigned(4), 4 if short else 8)
    left, run = sample_count, -1
    for number, (offset,) in enumerate(offsets, 1):
        while run + 1 < len(runs) and runs[run + 1][0] <= number:
            run += 1
        if run < 0:
            raise BrokenFile("'stsc' does not begin with the first chunk")
        count = min(runs[run][1], left)
        yield offset, count
        left -= count
    if left:
        raise BrokenFile("'stsc' and the chunk offsets leave %d samples without a place" % left)


def composition_times(table, count):
    """Composition times: decoding times (8.6.1.2) and the offsets from them (8.6.1.3)."""
    _, _, fields = table.need("stts").full()
    durations = spread(fields.table(fields.unsigned(4), 4, 4), count)
    offsets = [0] * count
    box = table.find("ctts")
    if box:
        _, _, fields = box.full()
        offsets = spread(fields.table(fields.unsigned(4), 4, 4), count)
    times, now = [], 0
    for duration, offset in zip(durations, offsets):
        # In QuickTime, offsets are signed in every version of the box. No real offset is as large
        # as 2³¹, so offsets of that size or more are read as negative.
        times.append(now + (offset - (1 << 32) if offset >> 31 else offset))
        now += duration
    return times


def spread(runs, count):
    """A number for each sample, from runs of equal numbers. Samples after the last run get 0."""
    numbers = []
    for length, number in runs:
        numbers += [number] * min(length, count - len(numbers))
    return numbers + [0] * (count - len(numbers))


def fragmented(file, moov, track):
    """The samples of a track that are in movie fragments (8.8)."""
    defaults = track_defaults(moov, track)
    found, clock = [], None
    for moof in file.top("moof"):
        end_of_data = moof.start
        for traf in moof.children():
            if traf.kind != "traf":
                continue
            run = fragment_header(traf, moof, end_of_data, defaults)
            start = base_time(traf)
            if run.track == track:
                clock = start if start is not None else clock or 0
            for trun in traf.children():
                if trun.kind != "trun":
                    continue
                # The rows of a run may take no bytes, so a damaged run can state a huge number of
                # them. But a file does not have more samples than bytes.
                room = len(file.data) - len(found)
                rows, end_of_data = run_of_samples(trun, run, clock or 0, room)
                run.next = end_of_data
                if run.track == track:
                    found += [row for row, _ in rows]
                    clock += sum(duration for _, duration in rows)
    return found


def track_defaults(moov, track):
    """Default duration and size of a track's samples in fragments (8.8.3)."""
    extends = moov.find("mvex")
    for trex in extends.children() if extends else []:
        if trex.kind == "trex":
            _, _, fields = trex.full()
            number, _, duration, size = (fields.unsigned(4) for _ in range(4))
            if number == track:
                return duration, size
    return 0, 0


@dataclass
class Fragment:
    """What a track fragment header says about its runs. `next` is where the data of the next run
    begins."""

    track: int
    base: int
    next: int
    duration: int
    size: int


def fragment_header(traf, moof, end_of_data, defaults):
    """A track fragment header (8.8.7)."""
    _, flags, fields = traf.need("tfhd").full()
    track = fields.unsigned(4)
    if flags & 0x1:
        base = fields.unsigned(8)
    else:
        base = moof.start if flags & 0x20000 else end_of_data
    if flags & 0x2:
        fields.take(4)
    duration = fields.unsigned(4) if flags & 0x8 else defaults[0]
    size = fields.unsigned(4) if flags & 0x10 else defaults[1]
    return Fragment(track, base, base, duration, size)


def base_time(traf):
    """The decoding time of a track fragment's first sample (8.8.12), or None."""
    box = traf.find("tfdt")
    if box is None:
        return None
    version, _, fields = box.full()
    return fields.unsigned(8 if version == 1 else 4)


def run_of_samples(trun, fragment, time, room):
    """The samples of a track run with their durations, and where its data ends (8.8.8)."""
    _, flags, fields = trun.full()
    count = fields.unsigned(4)
    if count > room:
        raise BrokenFile("'trun' at byte %d states %d samples" % (trun.start, count))
    offset = fragment.base + fields.signed(4) if flags & 0x1 else fragment.next
    if flags & 0x4:
        fields.take(4)
    rows = []
    for _ in range(count):
        duration = fields.unsigned(4) if flags & 0x100 else fragment.duration
        size = fields.unsigned(4) if flags & 0x200 else fragment.size
        if flags & 0x400:
            fields.take(4)
        shift = fields.signed(4) if flags & 0x800 else 0
        rows.append((Sample(offset, size, time + shift), duration))
        offset += size
        time += duration
    return rows, offset


def edits(trak):
    """The rows of an edit list: duration, media time and rate (8.6.6), or None."""
    box = trak.find("edts", "elst")
    if box is None:
        return None
    version, _, fields = box.full()
    width = 8 if version == 1 else 4
    count = fields.unsigned(4)
    fields.require(count * (2 * width + 4))
    return [
        [fields.unsigned(width), fields.signed(width), fields.signed(4)] for _ in range(count)
    ]
