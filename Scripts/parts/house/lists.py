# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that lists leave nothing out: what is declared has to be in its list, and what the program
says has to be in the articles. Declarations and texts are found by the way they are written."""

import re
from pathlib import Path

from .checks import Check, Place

ARTICLES = Path("Sources/Transcoding/Transcoding.docc")
WORD = re.compile(r"\w+")


class List:
    """Declarations below a folder, and the list that they have to be in. The declarations are found
    by a pattern whose group is the name. The list is found by its file, the text with which it
    begins, and the text at its end."""

    def __init__(self, folder, declaration, file, beginning, end="\n\n"):
        self.folder, self.declaration = folder, re.compile(declaration)
        self.file, self.beginning, self.end = file, beginning, end

    def words(self, files):
        """The words of the list, and of the lists that it names; none if there is no list."""
        text = next((file.text for file in files if file.name == self.file), "")
        _, found, rest = text.partition(self.beginning)
        words = set(WORD.findall(rest.split(self.end)[0])) if found else set()
        for part in re.finditer(r"\n  (?:\w+ )*static let (\w+) = .*?(?=\n\n|\n  \w|\n  ///)", text,
                                re.DOTALL):
            if part[1] in words and not self.declaration.search(part[0]):
                words |= set(WORD.findall(part[0]))
        return words


LISTS = [
    List("ColorScience/TransferFunctions", r"static let (\w+) = SDRCurve\(",
         "ColorScience/TransferFunctions/SDRCurve.swift", "let all: [SDRCurve] = ["),
    List("ColorScience/TransferFunctions", r"static let (\w+) = LightSystem\(",
         "ColorScience/TransferFunctions/LightSystem.swift", "let all: [LightSystem] = ["),
    List("ColorConversion/Planning", r"static let (\w+) = Self\([^)]*\) \{",
         "ColorConversion/Planning/ConversionOptions+GamutMapping.swift", "let all: [Self] = ["),
    List("ColorScience", r"struct (\w+): ToneCurve \{",
         "ColorConversion/Planning/ConversionOptions.swift", "var curve: (any ToneCurve.Type)?"),
    List("CodePoints", r"extension (\w+): StaticHDRMetadataKind \{",
         "CodePoints/HDR/StaticHDRMetadata.swift",
         "let kinds: [any StaticHDRMetadataKind.Type]"),
    List("MediaCore", r"static let (\w+) = FileType\(",
         "MediaCore/FileType.swift", "let all: [FileType] = ["),
    List("Writing", r"struct (\w+): Packaging \{",
         "Writing/Packaging.swift", "let ways: [any Packaging] = ["),
    List("Settings", r"static let (\w+): \[PresetKey\] = \[",
         "Settings/PresetKeys.swift", "static let all ="),
    List("VideoEncoders", r"static let (\w+) = VideoCodec\(",
         "VideoEncoders/VideoCodec.swift", "let all: [VideoCodec] = ["),
    List("Assets/Facts", r"static let (\w+): FactKey =",
         "Assets/Facts/FactKey.swift", "let all: [FactKey]"),
    List("Comparison", r"static let (\w+) = FrameMetric\(",
         "Comparison/Metrics/FrameMetric.swift", "static let all = ["),
    List("Inspection/Validation/Rules", r"\n  static let (\w+) = (?:\[|StaticHDRMetadata)",
         "Inspection/Validation/ConformanceRule.swift", "let all: [ConformanceRule]"),
]


def left_out(files):
    """Declarations that are not in their list, and lists for which no declaration is found."""
    for row in LISTS:
        words, count = row.words(files), 0
        for file in files:
            if not file.name.startswith(row.folder + "/"):
                continue
            for found in row.declaration.finditer(file.text):
                count += 1
                if found[1] not in words:
                    yield Place(file.name, file.line(found.start(1)),
                                f"{found[1]} is not in '{row.beginning}' of {row.file}")
        if not count:
            yield Place(row.file, note=f"no declaration matches {row.declaration.pattern}")
    yield from keys_left_out(files)
    yield from encoders_left_out(files)


def keys_left_out(files):
    """Keys of presets that are declared outside of the lists of keys, and that no list contains."""
    settings = [file for file in files if re.match(r"Settings/[^/]+$", file.name)]
    lists = [part for file in settings
             for part in re.findall(r"\[PresetKey\] = \[(.*?)\n  \]", file.text, re.DOTALL)]
    words = {word for part in lists for word in WORD.findall(part)}
    for file in settings:
        for found in re.finditer(r"static let (\w+) = PresetKey\(", file.text):
            if found[1] not in words:
                yield Place(file.name, file.line(found.start(1)), f"{found[1]} is in no list of keys")


def encoders_left_out(files):
    """Encoders that no codec lists."""
    own = [file for file in files if file.name.startswith("VideoEncoders/")]
    used = {name for file in own for name in re.findall(r"encoder: (\w+)\.self", file.text)}
    for file in own:
        for found in re.finditer(r"class (\w+): EncoderLibrary \{", file.text):
            if found[1] not in used:
                yield Place(file.name, file.line(found.start(1)), f"no codec lists {found[1]}")


def codes(files):
    """Codes of notices that are missing from the article, codes in the article that no notice has,
    and codes in the article that no test of a library contains."""
    article = (ARTICLES / "Notices.md").read_text(encoding="utf-8")
    listed = re.findall(r"\n\| `([a-zA-Z0-9]+)` \| [a-z]", article)
    made = {}
    for file in files:
        if not file.name.startswith("candela/"):
            for found in re.finditer(
                    r'(?:\b(?:Notice|fault|doubt)\(\s*|: Self = )"([a-zA-Z0-9]+)"', file.text):
                made.setdefault(found[1], Place(file.name, file.line(found.start(1)), found[1]))
    for code in sorted(set(made) - set(listed)):
        yield made[code]
    name = str(ARTICLES / "Notices.md")
    tests = "".join(
        path.read_text(encoding="utf-8") for path in Path("Tests").rglob("*Tests.swift")
        if not str(path).startswith("Tests/candelaTests/"))
    for number, code in enumerate(listed):
        if code not in made or code in listed[:number]:
            yield Place(name, note=f"no notice has the code {code}, or it is listed twice")
        if f'"{code}"' not in tests:
            yield Place(name, note=f"no test contains {code}")


# Terms that are right although they contain a wrong word: terms of H.264 and H.265 with the word
# picture, names that are written as code, and a document's title.
TERMS = ["coded picture", "Main Still Picture", "samples in a picture", "picture timing",
         "`sound`", "`pictures`", "HEVC Stereo Video"]
# Words that are right in another meaning.
AMBIGUOUS = {"image", "cut", "levels", "flag", "message", "stereo", "DTS", "Not"}


def other_words():
    """The words of the glossary's last column. Words before "for …" or "except …" are left out,
    because they are wrong only in some places."""
    text = (ARTICLES / "Glossary.md").read_text(encoding="utf-8")
    for cell in re.findall(r"(?<=\n)\| [^|\n]+ \| [^|\n]+ \| ([^|\n]+) \|", text):
        parts = cell.split(", ")
        for index, part in enumerate(parts):
            if (part not in AMBIGUOUS
                    and not any(near.startswith(("for ", "except ")) for near in parts[index:index + 2])):
                yield part


def unusual_words(files):
    """Words in the program's texts and in its documentation that the glossary replaces with
    others."""
    words = list(other_words())
    if len(words) <= 20 or "sound" not in words or "luminance" in words:
        yield Place(str(ARTICLES / "Glossary.md"), note="its table cannot be read")
        return
    unusual = re.compile(rf"(?<![\w`.-])(?i:{'|'.join(words)})s?(?![\w`-])")

    def found(text):
        for term in TERMS:
            text = text.replace(term, "")
        return unusual.findall(text)

    for file in files:
        for literal in file.literals:
            for word in found(literal.text):
                yield Place(file.name, literal.line, word)
    articles = [path for path in sorted(ARTICLES.glob("*.md")) if path.name != "Glossary.md"]
    others = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Presets/preset.schema.json"]
    for path in articles + [Path(name) for name in others]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in found(line):
                yield Place(str(path), number, word)


LISTED = [
    Check("lists", "declarations that their list leaves out", 0, left_out),
    Check("codes", "codes without a row or a test", 0, codes),
    Check("glossary", "words that the glossary replaces", 0, unusual_words),
]
