# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds what files, folders and targets use from one another."""

import re
from collections import defaultdict

class Use:
    """A file's line that names what another file declares."""

    def __init__(self, name, declared, used):
        self.name = name
        self.declared = declared  # (file, line)
        self.used = used  # (file, line)


def indexed(index):
    """Uses between files as the compiler saw them."""
    for identifier, file, line, _ in index.references:
        definition = index.definitions.get(identifier)
        if definition and definition[0] != file:
            yield Use(definition[2], definition[:2], (file, line))


def target(file):
    return file.split("/")[0]


def named(sources):
    """Uses of types, functions and values at a file's top level, found by their names.

    Members of extensions, and names that are declared twice in a target, are not found. A label or
    a local name that equals a declared name counts as a use.
    """
    declared = defaultdict(list)
    word = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias|func|var|let)\s+(\w+)")
    for source in sources:
        depth = place = 0
        for found in word.finditer(source.code):
            between = source.code[place:found.start()]
            depth += between.count("{") - between.count("}")
            place = found.start()
            # Everything in braces is a member, such as a `static func` in an extension.
            if depth == 0:
                declared[found.group(1)].append((source.name, source.line(found.start())))
    for source in sources:
        imports = set(re.findall(r"\bimport (\w+)", source.code))
        for found in re.finditer(r"(?<![.\w])[A-Za-z_]\w*", source.code):
            homes = declared.get(found.group(), [])
            near = [home for home in homes if target(home[0]) == target(source.name)] or [
                home for home in homes if target(home[0]) in imports]
            if len(near) == 1 and near[0][0] != source.name:
                yield Use(found.group(), near[0], (source.name, source.line(found.start())))


class Graph:
    """Edges between places of a layout, with the uses that make them."""

    def __init__(self, uses, layout):
        self.edges = defaultdict(list)
        for use in uses:
            start = layout.place(*use.used)
            end = layout.place(*use.declared) or layout.place(use.declared[0])
            if start and start != end:
                self.edges[start, end].append(use)

    def targets(self):
        """Edges between targets."""
        joined = defaultdict(list)
        for (start, end), uses in self.edges.items():
            if start[0] != end[0]:
                joined[start[0], end[0]] += uses
        return joined

    def within(self, target):
        """Edges between folders of a target."""
        return {(start[1], end[1]): uses for (start, end), uses in self.edges.items()
                if start[0] == end[0] == target}


def pairs(edges):
    """Two-way edges: each pair once."""
    return sorted((a, b) for a, b in edges if a < b and (b, a) in edges)


def rings(edges):
    """Groups of nodes that all reach each other (strongly connected), by Tarjan's algorithm."""
    follow = defaultdict(set)
    for start, end in edges:
        follow[start].add(end)
    number, low, stack, groups = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(follow[node]):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                groups.append(sorted(group))

    for node in sorted({node for edge in edges for node in edge}):
        if node not in number:
            visit(node)
    return sorted(groups)
