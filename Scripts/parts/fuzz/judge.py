# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges how commands ended: what must hold, whatever the input is."""

import hashlib
import re

from .child import run

STATUSES = {0, 1, 2, 3, 64, 65, 66, 69, 73, 74}
WITH_OUTPUT = {0, 2}
MOST_MEMORY = 1 << 30
# ffmpeg opens audio too when only video is asked for.
OF_AUDIO = re.compile(r"\[(aac|ac3|eac3|mp2|mp3|flac|alac|opus|vorbis|dca|pcm_\w+)\b")


def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()


def complaints(path, folder, streams):
    """Returns what ffmpeg complains about when it decodes a file's video or audio. Complaints about
    times that do not rise are left out, because they come from ffmpeg's null muxer."""
    # ffmpeg ignores a map that matches nothing, and then chooses streams itself.
    others = [f"-{kind}n" for kind in "vasd" if kind != streams]
    ended = run(["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", f"0:{streams}?",
                 *others, "-fps_mode", "passthrough", "-f", "null", "-"], folder, 60)
    lines = [line for line in ended.errors.splitlines()
             if line.strip() and "non monotonically increasing dts" not in line
             and "does not contain any stream" not in line
             and not line.strip().startswith("Last message repeated")
             and not (streams == "v" and OF_AUDIO.match(line))]
    return lines or ([f"ffmpeg ended with {ended.status}"] if ended.status and not lines
                     and "does not contain any stream" not in ended.errors else [])


def are_sound(path, folder):
    """Whether ffmpeg decodes the video and audio of a file without a complaint."""
    ended = run(["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", "0:v?", "-map",
                 "0:a?", "-fps_mode", "passthrough", "-f", "null", "-"], folder, 60)
    return ended.status == 0 and not ended.errors.strip()


def has_pictures(path, folder):
    """Whether ffprobe finds a video track that is not a cover."""
    shown = run(["ffprobe", "-v", "error", "-select_streams", "V", "-show_entries",
                 "stream=index", "-of", "csv=p=0", str(path)], folder).output
    return bool(shown.strip())


def fault_of_output(program, job, folder, source, ended):
    """Says what is wrong with the output of a command that succeeded. Returns None if nothing
    is."""
    output = folder / job.output
    if not output.is_file() or not output.stat().st_size:
        return "success without an output"
    if job.output.endswith(".bin"):
        shown = run([program, "rpu", "show", str(output)], folder)
        # Damaged RPUs are extracted unchanged, and the status then says that they are damaged.
        if shown.status and ended.status == 0:
            return f"rpu show of the output: {shown.status}, {shown.errors.strip()}"
        return None
    kinds = ("v",) if job.output.endswith(".png") else ("v", "a")
    # Nearly all outputs are sound, and a single run of ffmpeg shows that. More runs would be slow,
    # because ffmpeg takes most of its time to start.
    for streams in kinds if len(kinds) == 1 or not are_sound(output, folder) else ():
        found = complaints(output, folder, streams)
        # A copy may be as damaged as its source. In some containers, ffmpeg complains about video
        # even when it decodes only audio.
        checked = kinds if not job.encodes else ("a",) if streams == "a" else ()
        if found and not any(complaints(source, folder, kind) for kind in checked):
            return f"ffmpeg says of the output: {found[0]}"
    if job.output.endswith(".png"):
        return None
    status = run([program, "validate", str(output)], folder).status
    if status not in (0, 1):
        of_source = run([program, "validate", str(source)], folder).status
        if of_source in (0, 1) or job.encodes and has_pictures(source, folder):
            return f"validate of the output: {status}"
    # Metadata that makes no sense is kept as it is, with a warning.
    if status == 1 and job.encodes and "cannot be right" not in ended.errors:
        return "validate finds failures in an encoded output"
    return None


def faults(program, job, folder, name, before, ended):
    """Returns all that is wrong with how a command ended. `before`: digests of the files by
    name."""
    found = []
    if ended.hung:
        return ["did not end in time"]
    if ended.status < 0:
        found.append(f"signal {-ended.status}")
    elif ended.status not in STATUSES:
        found.append(f"status {ended.status}")
    if ended.memory > MOST_MEMORY:
        found.append(f"{ended.memory >> 20} MiB of memory")
    if ended.status >= 64 and not ended.errors.strip():
        found.append("a failure without a message")
    succeeded = ended.status in WITH_OUTPUT
    for file, old in before.items():
        path = folder / file
        if not path.is_file():
            found.append(f"{file} is gone")
        elif not (job.in_place and succeeded and file == name) and digest(path) != old:
            found.append(f"{file} was changed")
    allowed = set(before)
    if job.output and succeeded:
        allowed.add(job.output)
    if job.output and ended.status == 3:
        allowed.add(job.output + ".failed")
    left = sorted(path.name for path in folder.iterdir() if path.name not in allowed)
    if left:
        found.append(f"left behind: {', '.join(left)}")
    return found
