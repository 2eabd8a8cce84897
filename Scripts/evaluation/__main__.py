# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares operators that map HDR to SDR, or measures series of frames, or kinds of dither."""

import argparse
from concurrent.futures import ProcessPoolExecutor
import json
import multiprocessing
import os
from pathlib import Path
import sys
import tempfile

import imageio_ffmpeg

from . import charts, dither, judge, scenes, series, sheet, sources, table
from .operators import all_operators


def arguments():
    """Reads the options, which the script `run` explains."""
    parser = argparse.ArgumentParser(prog="Scripts/evaluation/run")
    parser.add_argument("clips", nargs="*", type=Path, metavar="CLIP")
    parser.add_argument("--output", type=Path)
    for name in ("--markdown", "--no-drawn", "--jod", "--series", "--x264"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--dither")
    parser.add_argument("--ffmpeg", default=imageio_ffmpeg.get_ffmpeg_exe())
    parser.add_argument("--candela", required=True)
    return parser.parse_args()


def make_sources(options, folder):
    made = []
    if not options.no_drawn:
        print("drawing scenes and charts", flush=True)
        for name, draw in scenes.SCENES.items():
            made += [sources.drawn(name, draw, transfer, folder) for transfer in ("hlg", "pq")]
        for name, draw in charts.CHARTS.items():
            made += [sources.drawn(name, draw, transfer, folder) for transfer in ("hlg", "pq")]
    made += [sources.clip(path, folder) for path in options.clips]
    if not made:
        raise ValueError("nothing to compare: no clips, no scenes and no charts")
    return made


def accepted(options, source):
    """Returns the operators that can run on a source, and prints a line for each one that is
    skipped."""
    operators = []
    for operator in all_operators(options):
        if reason := operator.refusal(source):
            print(f"skipped {operator.name}: {reason}", flush=True)
        else:
            operators.append(operator)
    return operators


def _job(pair):
    source, operator = SOURCES[pair[0]], OPERATORS[pair[1]]
    try:
        figures, signal = judge.judge(operator, source, FOLDER, WITH_JOD)
        return figures, sheet.thumbnail(signal, source.quarter_turns)
    except RuntimeError as error:
        return f"failed: {operator.name} on {source.name}: {error}"


def run_all(made, operators, folder, with_jod):
    """Runs each operator on each source. Returns the figures and a picture for each pair of a
    source's name and an operator's name."""
    global SOURCES, OPERATORS, FOLDER, WITH_JOD  # the processes inherit them
    SOURCES, OPERATORS, FOLDER, WITH_JOD = made, operators, folder, with_jod
    pairs = [(s, o) for s in range(len(made)) for o in range(len(operators))]
    results = {}
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=fork) as pool:
        for (s, o), outcome in zip(pairs, pool.map(_job, pairs)):
            if o == 0:
                print(f"judging {made[s].name}", file=sys.stderr, flush=True)
            if isinstance(outcome, str):
                print(outcome, flush=True)
            else:
                results[made[s].name, operators[o].name] = outcome
    return results


def is_chart(name):
    return name.split(",")[0] in charts.CHARTS


def chart_rows(results):
    """Returns the figures of all charts for each pair of a transfer function and an operator. A
    figure that several charts have is averaged."""
    rows = {}
    for (name, operator), (figures, _) in results.items():
        if is_chart(name):
            rows.setdefault((name.split(", ")[1], operator), []).append(figures)
    keys = {key: None for frames in rows.values() for figures in frames for key in figures}
    complete = lambda frames: [{key: f.get(key) for key in keys} for f in frames]
    return {row: judge.mean_figures(complete(frames)) for row, frames in rows.items()}


def report(made, results, options, folder):
    scene_rows = {key: figures for key, (figures, _) in results.items() if not is_chart(key[0])}
    texts = []
    if scene_rows:
        names = ("scene", "operator")
        texts.append(table.figures_table(table.SCENES, scene_rows, names, options.markdown))
    if rows := chart_rows(results):
        names = ("charts", "operator")
        texts.append(table.figures_table(table.CHARTS, rows, names, options.markdown))
    texts.append(f"```\n{table.LEGEND}\n```" if options.markdown else table.LEGEND)
    text = "\n\n".join(texts)
    (folder / ("tables.md" if options.markdown else "tables.txt")).write_text(text + "\n")
    figures = {" | ".join(key): found for key, (found, _) in results.items()}
    (folder / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    pictures = {}
    for source in made:
        if not is_chart(source.name):
            pictures[source.name] = sheet.references(source.lights[0], source.quarter_turns)
    for (name, operator), (_, picture) in results.items():
        if name in pictures and (options.only or operator in sheet.OPERATORS):
            pictures[name][operator] = picture
    if pictures:
        sheet.contact_sheet(folder / "sheet.png", pictures)
    print(text)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as work:
        if options.series:
            return print(series.report(options, Path(work)))
        if options.x264:
            return print(dither.report(options, Path(work)))
        folder = options.output or Path(tempfile.mkdtemp(prefix="candela-evaluation-"))
        folder.mkdir(parents=True, exist_ok=True)
        made = make_sources(options, Path(work))
        operators = accepted(options, made[0])
        results = run_all(made, operators, work, options.jod)
        report(made, results, options, folder)
        print(f"\nthe tables, all figures and the contact sheet are in {folder}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, ValueError) as error:
        sys.exit(f"evaluation: {error}")
