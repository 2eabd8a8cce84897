# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the video of a file: its sample entry, its parameter sets, and its access units."""

from collections import Counter

from boxes import boxes, is_movie
from entries import SampleEntry
from fields import BrokenFile
from messages import messages, value
from metadata_units import fault
from parameter_sets import sequence
from samples import edits, samples
from units import (
    Unit,
    access_units,
    is_byte_stream,
    units_of_byte_stream,
    units_of_sample,
)


class Movie:
    """A movie file. Besides the movie box, its top level may have boxes of fragments."""

    def __init__(self, data):
        self.data = data
        self.boxes = list(boxes(data, 0, len(data)))

    def top(self, kind):
        return [box for box in self.boxes if box.kind == kind]

    def video_track(self):
        """The movie box, and the first video track that has samples. If none has, the first video
        track."""
        moov = next(iter(self.top("moov")), None)
        if moov is None:
            raise BrokenFile("the file has no 'moov'")
        tracks = [box for box in moov.children() if box.kind == "trak" and is_video(box)]
        if not tracks:
            raise BrokenFile("the file has no video track")
        if len(tracks) == 1:
            return moov, tracks[0]
        return moov, next((trak for trak in tracks if samples(self, moov, trak)), tracks[0])


def is_video(trak):
    """Whether a track's handler is that of video (ISO/IEC 14496-12, 8.4.3)."""
    handler = trak.find("mdia", "hdlr")
    return handler is not None and handler.fields(skipping=8).take(4) == b"vide"


class Video:
    """What a file says about its pictures, gathered unit by unit."""

    def __init__(self):
        self.entry = None
        self.edits = None
        self.codec = None
        # Files repeat sequence parameter sets, so each is kept only once, by its bytes. RPUs are
        # kept with their times.
        self.sequences = {}
        self.rpus = []
        self.picture_count = None
        self.message_counts = Counter()
        self.rpu_picture_count = 0
        self.values = {}
        # `damage` has a sentence for each access unit that cannot be read. `faults` counts how
        # often each other kind of fault was found.
        self.damage = []
        self.faults = Counter()

    # MARK: Gathering

    def add_configuration(self, configuration):
        for data in configuration.units:
            if data:
                self.add(Unit(configuration.codec, data), set())

    def add_access_unit(self, units, index, time):
        """Adds the NAL units of a picture. Units after a damaged one are not read."""
        self.picture_count += 1
        kinds, rpus = set(), []
        try:
            for unit in units:
                self.add(unit, kinds)
                if unit.is_rpu:
                    rpus.append(unit)
                elif unit.is_slice and rpus:
                    self.faults["slices after the RPU of their picture"] += 1
        except BrokenFile as broken:
            self.damage.append("access unit %d: %s" % (index, broken))
        self.message_counts.update(kinds)
        self.rpu_picture_count += bool(rpus)
        if len(rpus) > 1:
            self.faults["pictures with several RPUs"] += 1
        for unit in rpus:
            self.rpus.append((time, unit))
            what = fault(unit)
            if what:
                self.faults["RPU that %s" % what] += 1

    def add(self, unit, kinds):
        """Adds what a NAL unit states, and puts the types of its SEI messages into `kinds`."""
        if not unit.is_valid:
            raise BrokenFile("a NAL unit begins with %s" % unit.data[:2].hex())
        if unit.is_parameter_set_of_sequence and unit.data not in self.sequences:
            self.sequences[unit.data] = sequence(unit)
        elif unit.is_sei:
            for kind, payload in messages(unit):
                kinds.add(kind)
                stated = value(kind, payload)
                known = self.values.setdefault(kind, [])
                if stated is not None and stated not in known:
                    known.append(stated)

    # MARK: What was found

    @property
    def sequence(self):
        """The first sequence parameter set, which is that of the configuration if it has one."""
        return next(iter(self.sequences.values()), None)

    @property
    def colors(self):
        return [found["vui"] for found in self.sequences.values()]

    @property
    def rpus_in_order(self):
        """The RPUs in the order of presentation, or in decoding order if there are no times."""
        return [unit for _, unit in sorted(self.rpus, key=lambda row: row[0])]


def read(data):
    """The video of a movie file or of a byte stream of H.265."""
    if is_movie(data):
        return read_movie(Movie(data))
    if is_byte_stream(data):
        return read_byte_stream(data)
    raise BrokenFile("the file is neither a movie file nor a byte stream")


def read_movie(movie):
    moov, trak = movie.video_track()
    video = Video()
    video.entry = entry = SampleEntry(trak.need("mdia", "minf", "stbl", "stsd"))
    video.edits = edits(trak)
    video.codec = entry.codec
    if not entry.codec:
        return video
    if entry.configuration is None or entry.configuration.codec != entry.codec:
        raise BrokenFile("'%s' has no decoder configuration" % entry.fourcc)
    video.add_configuration(entry.configuration)
    rows = samples(movie, moov, trak)
    video.picture_count = 0
    if entry.is_encrypted:
        video.picture_count = len(rows)
        return video
    for index, row in enumerate(rows):
        if row.offset < 0 or row.offset + row.size > len(movie.data):
            video.picture_count += 1
            video.damage.append("access unit %d is not within the file" % index)
            continue
        sample = movie.data[row.offset : row.offset + row.size]
        units = units_of_sample(entry.codec, sample, entry.configuration.length_size)
        video.add_access_unit(units, index, row.time)
    return video


def read_byte_stream(data):
    video = Video()
    video.codec = "hevc"
    video.picture_count = 0
    first = next(units_of_byte_stream(data), None)
    if first is None or not first.is_valid:
        raise BrokenFile("the byte stream is not of H.265")
    for index, units in enumerate(access_units(units_of_byte_stream(data))):
        video.add_access_unit(units, index, index)
    if not video.sequences:
        raise BrokenFile("the byte stream has no sequence parameter set of H.265")
    return video
