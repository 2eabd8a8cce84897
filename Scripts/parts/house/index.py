# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads from the compiler's index of a debug build which file uses what from which other file."""

import ctypes
import os
import shutil
from ctypes import CFUNCTYPE, POINTER, byref, c_bool, c_char_p, c_int64, c_size_t, c_uint, c_uint64
from ctypes import c_void_p
from pathlib import Path

DEFINITION, REFERENCE, IMPLICIT = 1 << 1, 1 << 2, 1 << 8
RECORD = 2
ENUM, STRUCT, CLASS, PROTOCOL, CASE = 5, 6, 7, 8, 15
METHOD, PROPERTY, STATIC_PROPERTY, INITIALIZER = 16, 19, 21, 22
# The index lists actors as classes.
TYPES = (ENUM, STRUCT, CLASS, PROTOCOL)
CONSTANTS = (CASE, STATIC_PROPERTY)
MEMBERS = (CASE, METHOD, PROPERTY, STATIC_PROPERTY, INITIALIZER)
GETTER = 3


class Text(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


OnText = CFUNCTYPE(c_bool, c_void_p, Text)
OnObject = CFUNCTYPE(c_bool, c_void_p, c_void_p)

SIGNATURES = {
    "store_create": (c_void_p, [c_char_p, POINTER(c_void_p)]),
    "store_units_apply_f": (c_bool, [c_void_p, c_uint, c_void_p, OnText]),
    "store_get_unit_modification_time":
        (ctypes.c_int, [c_void_p, c_char_p, POINTER(c_int64), POINTER(c_int64)]),
    "unit_reader_create": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "unit_reader_dispose": (None, [c_void_p]),
    "unit_reader_get_main_file": (Text, [c_void_p]),
    "unit_reader_dependencies_apply_f": (c_bool, [c_void_p, c_void_p, OnObject]),
    "unit_dependency_get_kind": (ctypes.c_int, [c_void_p]),
    "unit_dependency_get_name": (Text, [c_void_p]),
    "unit_dependency_get_filepath": (Text, [c_void_p]),
    "record_reader_create": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "record_reader_dispose": (None, [c_void_p]),
    "record_reader_occurrences_apply_f": (c_bool, [c_void_p, c_void_p, OnObject]),
    "occurrence_get_symbol": (c_void_p, [c_void_p]),
    "occurrence_get_roles": (c_uint64, [c_void_p]),
    "occurrence_get_line_col": (None, [c_void_p, POINTER(c_uint), POINTER(c_uint)]),
    "occurrence_relations_apply_f": (c_bool, [c_void_p, c_void_p, OnObject]),
    "symbol_relation_get_symbol": (c_void_p, [c_void_p]),
    "symbol_get_kind": (ctypes.c_int, [c_void_p]),
    "symbol_get_subkind": (ctypes.c_int, [c_void_p]),
    "symbol_get_usr": (Text, [c_void_p]),
    "symbol_get_name": (Text, [c_void_p]),
}


def library():
    """Loads the toolchain's library that reads indexes."""
    swift = shutil.which("swift")
    folders = [Path(swift).resolve().parent.parent / "lib"] if swift else []
    for folder in folders + [Path("/usr/lib")]:
        for name in ("libIndexStore.so", "libIndexStore.dylib"):
            if (folder / name).exists():
                loaded = ctypes.CDLL(str(folder / name))
                for function, (result, arguments) in SIGNATURES.items():
                    called = getattr(loaded, "indexstore_" + function)
                    called.restype, called.argtypes = result, arguments
                return loaded
    raise SystemExit("house: the Swift toolchain has no libIndexStore")


class Index:
    """Definitions and uses of symbols, by file."""

    def __init__(self, store, root):
        """`root`: the folder that holds the targets; files elsewhere are left out."""
        self.library = library()
        self.root = os.path.realpath(root) + os.sep
        self.store = self.library.indexstore_store_create(str(store).encode(), byref(c_void_p()))
        if not self.store:
            raise SystemExit(f"house: {store} is no index; make a debug build: swift build")
        self.definitions = {}  # identifier: (file, line, name)
        self.kinds = {}  # identifier of a definition: kind
        self.owners = {}  # identifier of a member: that of its type or extension
        self.names = {}  # identifier of an owner: name
        self.computed = set()  # identifiers of properties with a getter of their own
        self.references = []  # (identifier, file, line, column in UTF-8)
        self.stale = []  # files that were changed after they were compiled
        for file, record in self._records().items():
            self._read(file, record)

    def _texts(self, apply, *arguments):
        found = []
        apply(*arguments, OnText(lambda _, text: found.append(str(text)) or True))
        return found

    def _records(self):
        """Returns the newest record of each file that still exists."""
        newest = {}
        for unit in self._texts(
                self.library.indexstore_store_units_apply_f, self.store, 0, None):
            seconds, nanoseconds = c_int64(), c_int64()
            self.library.indexstore_store_get_unit_modification_time(
                self.store, unit.encode(), byref(seconds), byref(nanoseconds))
            time = seconds.value + nanoseconds.value / 1e9
            reader = self.library.indexstore_unit_reader_create(
                self.store, unit.encode(), byref(c_void_p()))
            if not reader:
                continue
            main = str(self.library.indexstore_unit_reader_get_main_file(reader))
            real = os.path.realpath(main)
            if real.startswith(self.root) and os.path.exists(real):
                file = real[len(self.root):]
                if time > newest.get(file, (0, None))[0]:
                    record = self._record(reader, main)
                    if record:
                        newest[file] = (time, record)
            self.library.indexstore_unit_reader_dispose(reader)
        for file, (time, _) in newest.items():
            if os.path.getmtime(self.root + file) > time + 1:
                self.stale.append(file)
        return {file: record for file, (_, record) in newest.items()}

    def _record(self, reader, main):
        found = []

        def add(_, dependency):
            if self.library.indexstore_unit_dependency_get_kind(dependency) == RECORD and str(
                    self.library.indexstore_unit_dependency_get_filepath(dependency)) == main:
                found.append(str(self.library.indexstore_unit_dependency_get_name(dependency)))
            return True

        self.library.indexstore_unit_reader_dependencies_apply_f(reader, None, OnObject(add))
        return found[0] if found else None

    def _read(self, file, record):
        reader = self.library.indexstore_record_reader_create(
            self.store, record.encode(), byref(c_void_p()))
        if not reader:
            return

        def add(_, occurrence):
            symbol = self.library.indexstore_occurrence_get_symbol(occurrence)
            roles = self.library.indexstore_occurrence_get_roles(occurrence)
            usr = str(self.library.indexstore_symbol_get_usr(symbol))
            line, column = c_uint(), c_uint()
            self.library.indexstore_occurrence_get_line_col(occurrence, byref(line), byref(column))
            if roles & DEFINITION:
                name = str(self.library.indexstore_symbol_get_name(symbol))
                self.definitions.setdefault(usr, (file, line.value, name))
                if not roles & IMPLICIT:
                    self._classify(usr, symbol, occurrence)
            elif roles & REFERENCE:
                self.references.append((usr, file, line.value, column.value))
            return True

        self.library.indexstore_record_reader_occurrences_apply_f(reader, None, OnObject(add))
        self.library.indexstore_record_reader_dispose(reader)

    def _classify(self, usr, symbol, occurrence):
        kind = self.library.indexstore_symbol_get_kind(symbol)
        self.kinds[usr] = kind
        if kind not in MEMBERS:
            return
        is_getter = self.library.indexstore_symbol_get_subkind(symbol) == GETTER

        def add(_, relation):
            owner = self.library.indexstore_symbol_relation_get_symbol(relation)
            identifier = str(self.library.indexstore_symbol_get_usr(owner))
            if is_getter:
                self.computed.add(identifier)
            else:
                # The first relation says whose member the symbol is; later ones say what it
                # overrides.
                self.owners.setdefault(usr, identifier)
                self.names[identifier] = str(self.library.indexstore_symbol_get_name(owner))
            return True

        self.library.indexstore_occurrence_relations_apply_f(occurrence, None, OnObject(add))

    def members(self, kinds, wanted=None, owner=None):
        """Returns the identifiers of members of some kinds. `wanted` limits them to some names, and
        `owner` to one type. Ends the program if there are none, so that a count does not become 0
        only because something was renamed."""
        found = {identifier for identifier, home in self.owners.items()
                 if self.kinds[identifier] in kinds
                 and (not wanted or self.definitions[identifier][2] in wanted)
                 and owner in (None, self.names[home])}
        if not found:
            raise SystemExit(f"house: {owner or 'no type'} has no member that is counted"
                             + (f": {', '.join(wanted)}" if wanted else ""))
        return found

    def uses(self, identifiers):
        """Returns the references to these identifiers: file, line and column."""
        return sorted({(file, line, column) for identifier, file, line, column in self.references
                       if identifier in identifiers})
