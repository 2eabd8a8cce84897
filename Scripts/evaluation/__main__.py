# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs every operator on every source and tells what came out."""

import argparse
from concurrent.futures import ProcessPoolExecutor
import json
import multiprocessing
import os
from pathlib import Path
import sys
import tempfile

from . import sheet, table
from .judge import judge
from .operators import all_operators
from .sources import chart_source, clip_source


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/evaluation/run", description=__doc__)
    parser.add_argument("clips", nargs="*", type=Path, metavar="CLIP", help="10-bit HLG or PQ")
    parser.add_argument("--output", type=Path, help="folder for tables and contact sheets")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")
    parser.add_argument("--every-pair", action="store_true", help="all operators × gamut mappings")
    parser.add_argument("--dither", help="Candela's dither; the preset's without this")
    parser.add_argument("--frames", type=int, default=3, help="frames of each clip (3)")
    parser.add_argument("--each-clip", action="store_true", help="a table for each clip")
    parser.add_argument("--no-charts", action="store_true", help="only clips")
    for name in ("--candela", "--operators", "--gamut-mappings"):
        parser.add_argument(name, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def make_sources(options, folder):
    sources = []
    if not options.no_charts:
        print("making charts", flush=True)
        sources += [chart_source(transfer, folder) for transfer in ("hlg", "pq")]
    for clip in options.clips:
        sources.append(clip_source(clip, options.frames, folder))
    if not sources:
        raise ValueError("nothing to compare: no clips and no charts")
    return sources


def accepted(options, sources):
    """The operators that the program knows; the others are skipped with a line for each reason."""
    operators, refused = [], {}
    for operator in all_operators(options):
        reason = operator.refusal(sources[0].path)
        if reason:
            refused.setdefault(reason, []).append(f"({operator.name})")
        else:
            operators.append(operator)
    for reason, names in refused.items():
        print(f"skipped {' '.join(names)}: {reason}", flush=True)
    return operators


def _job(pair):
    operator, source = OPERATORS[pair[0]], SOURCES[pair[1]]
    try:
        return pair, judge(operator, source, FOLDER, sheet.thumbnail)
    except RuntimeError as error:
        return pair, str(error)


def run_all(operators, sources, folder):
    """(operator's name, source's name) → figures and thumbnails."""
    global OPERATORS, SOURCES, FOLDER  # the processes inherit them
    OPERATORS, SOURCES, FOLDER = operators, sources, folder
    for source in sources:
        _ = source.lights
    pairs = [(o, s) for s in range(len(sources)) for o in range(len(operators))]
    results = {}
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=fork) as pool:
        for (o, s), outcome in pool.map(_job, pairs):
            if isinstance(outcome, str):
                print(f"failed: {operators[o].name} on {sources[s].name}: {outcome}", flush=True)
                continue
            results[operators[o].name, sources[s].name] = outcome
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(pairs)}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return results


def report(results, operators, groups, options, folder):
    """Tables and contact sheets of each group of sources."""
    texts = [table.ASSUMPTIONS]
    for title, sources in groups.items():
        done = [o.name for o in operators if all((o.name, s.name) in results for s in sources)]
        rows = {o: table.mean_row([results[o, s.name][0] for s in sources]) for o in done}
        texts.append(table.render(title, rows, options.markdown))
        pictures = sheet.reference_rows(sources)
        pictures.update({o: [p for s in sources for p in results[o, s.name][1]] for o in done})
        name = "".join(c if c.isalnum() else "-" for c in title.lower()).replace("--", "-")
        sheet.contact_sheet(folder / f"{name}.png", sources, pictures)
    legend = f"```\n{table.LEGEND}\n```" if options.markdown else table.LEGEND
    text = "\n".join([*texts, "", legend])
    (folder / ("tables.md" if options.markdown else "tables.txt")).write_text(text + "\n")
    figures = {f"{o} | {s}": outcome[0] for (o, s), outcome in results.items()}
    (folder / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    print(text)


def main():
    options = arguments()
    folder = options.output or Path(tempfile.mkdtemp(prefix="candela-evaluation-"))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        sources = make_sources(options, Path(work))
        operators = accepted(options, sources)
        results = run_all(operators, sources, work)
    groups = {s.name: [s] for s in sources if s.is_chart}
    clips = [s for s in sources if not s.is_chart]
    if options.each_clip:
        groups |= {s.frame_names[0].rsplit(" ", 1)[0]: [s] for s in clips}
    elif clips:
        groups["clips"] = clips
    report(results, operators, groups, options, folder)
    print(f"\ntables, every source's figures and contact sheets are in {folder}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, ValueError) as error:
        sys.exit(f"evaluation: {error}")
