# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that targets import exactly what the manifest says, and that large targets have tests.

The compiler would not notice all mistakes: it also accepts imports of targets that are reached only
by way of other targets.
"""

import functools
import json
import re
import subprocess
from pathlib import Path

from .checks import Place

IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(\w+)\s*$",
    re.M)
TESTED = 500


@functools.cache
def targets():
    described = subprocess.run(
        ["swift", "package", "dump-package"], check=True, capture_output=True, text=True)
    return json.loads(described.stdout)["targets"]


def mismatches():
    """Imports that the manifest does not name, and modules that it names but nothing imports."""
    described = targets()
    names = {target["name"] for target in described}
    for target in described:
        if target["type"] == "system":
            continue
        name = target["name"]
        folder = "Tests" if target["type"] == "test" else "Sources"
        files = sorted(Path(target.get("path") or f"{folder}/{name}").rglob("*.swift"))
        declared = {dependency["byName"][0] if "byName" in dependency else dependency["target"][0]
                    for dependency in target["dependencies"] if "product" not in dependency}
        imported = {module: file
                    for file in files
                    for module in IMPORT.findall(file.read_text(encoding="utf-8"))
                    if module in names and module != name}
        for module in sorted(imported.keys() - declared):
            yield Place(str(imported[module]), note=f"imports {module}, which {name} does not declare")
        for module in sorted(declared - imported.keys()):
            yield Place("Package.swift", note=f"{name} declares {module} but imports it nowhere")


def untested(lines):
    """Targets of more than `TESTED` lines that have no test target. `lines` has the number of lines
    of each target."""
    names = {target["name"] for target in targets() if target["type"] == "test"}
    for name, count in sorted(lines.items()):
        if count > TESTED and f"{name}Tests" not in names:
            yield Place(name, note=f"{count} lines")
