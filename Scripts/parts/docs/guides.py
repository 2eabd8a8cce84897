# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes other forms of the guides. In the repository, the guides are Markdown files with links
that work in a repository browser.

    guides.py docc FOLDER      copies the catalog, with doc: links between articles, as DocC
                               requires
    guides.py pages FOLDER [API]   makes static HTML pages, with a search, from the README, the
                               guides and the documents that they link to; if API, the folder of
                               DocC's pages, is given, the search finds these pages, too
    guides.py readme FOLDER    copies README.md, with links to pages in the folder guides beside it
    guides.py check            finds links that lead nowhere or that only DocC understands, and
                               guides that the overview leaves out
"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CATALOG = Path("Sources/Transcoding/Transcoding.docc")
OVERVIEW = CATALOG / "Transcoding.md"
# Documents other than the guides, in the order of the pages' table of contents.
DOCUMENTS = [Path(name) for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
# New names for files that are copied beside the pages. (A Debian package may have a file named
# LICENSE only where it keeps its licenses.)
COPIES = {"LICENSE": "GNU-GPL-2.txt"}
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|``[^`]+``|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def outside_code(text, change):
    """Changes the parts of a Markdown text that are not code."""
    codes = []

    def keep(found):
        codes.append(found[0])
        return f"\0{len(codes) - 1}\0"
    return re.sub("\0(\\d+)\0", lambda found: codes[int(found[1])], change(CODE.sub(keep, text)))


def links(path):
    """Yields a document's links within the repository: the target as written, its path, and the
    anchor."""
    text = CODE.sub("", path.read_text(encoding="utf-8"))
    for _, target in LINK.findall(text):
        if not re.match(r"[a-z]+:", target):
            name, _, anchor = target.partition("#")
            found = Path(os.path.normpath(path.parent / name)) if name else path
            yield target, found, anchor


def anchor_of(heading):
    """The anchor that repository browsers give a heading."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip()).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {anchor_of(heading) for heading in re.findall(r"^#+ (.*)", text, re.MULTILINE)}


def guides():
    """Yields the groups of guides, as the overview lists them: (group, [path])."""
    text = OVERVIEW.read_text(encoding="utf-8").partition("## Topics")[2]
    for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        paths = [CATALOG / name for name in re.findall(r"^- \[[^\]]*\]\((\w+\.md)\)", rest, re.MULTILINE)]
        if paths:
            yield title.strip(), paths


def check():
    """Prints wrong links, and guides that are in no group. Returns whether there are any."""
    listed = [path for _, paths in guides() for path in paths]
    faults = [f"{path}: is in no group of {OVERVIEW.name}" for path in sorted(CATALOG.glob("*.md"))
              if path != OVERVIEW and path not in listed]
    evaluation = Path("Scripts/evaluation/README.md")
    for path in [*DOCUMENTS, evaluation, *sorted(CATALOG.glob("*.md"))]:
        if "<doc:" in CODE.sub("", path.read_text(encoding="utf-8")):
            faults.append(f"{path}: has a link that only DocC understands")
        for target, found, anchor in links(path):
            if not found.exists():
                faults.append(f"{path}: {target} leads nowhere")
            elif anchor and found.suffix == ".md" and anchor not in anchors(found):
                faults.append(f"{path}: {target}: there is no such heading")
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


def docc(folder):
    """Copies the catalog, and turns its links into links that DocC follows."""
    def change(text):
        text = re.sub(r"(?<!!)(\[[^\]]*\])\((\w+)\.md(?:#[^)]*)?\)", r"\1(doc:\2)", text)
        return text.replace("](Resources/", "](")
    shutil.copytree(CATALOG, folder)
    for path in folder.glob("*.md"):
        head, topics, rest = path.read_text(encoding="utf-8").partition("\n## Topics\n")
        # In lists of topics, DocC wants nothing but links.
        rest = re.sub(r"^- \[[^\]]*\]\((\w+)\.md\).*$", r"- <doc:\1>", rest, flags=re.MULTILINE)
        path.write_text(outside_code(head + topics + rest, change), encoding="utf-8")


def page_name(path):
    """The name of a document's page."""
    if path == Path("README.md"):
        return "index.html"
    return (path.stem if path.stem != "README" else path.parent.name) + ".html"


class Pages:
    """The pages that are made from the documents."""

    def __init__(self, folder, api=None):
        self.folder, self.api, self.index = folder, api, []
        self.groups = [("Candela", DOCUMENTS[:1]), *guides(), ("The project", DOCUMENTS[1:])]
        self.paths = [path for _, paths in self.groups for path in paths] + [OVERVIEW]

    def make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in self.paths:  # The list grows while links are followed.
            (self.folder / page_name(path)).write_text(self.page(path), encoding="utf-8")
        if self.api:
            self.add_symbols()
        data = json.dumps(self.index, ensure_ascii=False, separators=(",", ":"))
        (self.folder / "index.js").write_text(f"const sections = {data};\n", encoding="utf-8")
        for name in ("search.js", "style.css"):
            shutil.copy(HERE / name, self.folder / name)

    def page(self, path):
        source = self.linked(path)
        body = subprocess.run(
            ["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink"], input=source, text=True,
            capture_output=True, check=True).stdout
        body = re.sub(r"<h([1-4])>(.*?)</h\1>", self.heading, body)
        body = body.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
        title = re.sub(r"<[^>]*>", "", re.search(r"<h1[^>]*>(.*?)</h1>", body)[1])
        self.add(page_name(path), title, body)
        return (HERE / "page.html").read_text(encoding="utf-8").replace(
            "$title", title).replace("$contents", self.contents(path)).replace("$body", body)

    def heading(self, found):
        text = re.sub(r"<[^>]*>", "", html.unescape(found[2]))
        return f'<h{found[1]} id="{anchor_of(text)}">{found[2]}</h{found[1]}>'

    def linked(self, path):
        """Returns a document with links to pages instead of Markdown files. Copies the other files
        that it links to, and links to the copies."""
        def change(found):
            target = found[2]
            if re.match(r"[a-z]+:", target) or target.startswith("#"):
                return found[0]
            name, _, anchor = target.partition("#")
            other = Path(os.path.normpath(path.parent / name))
            if other.suffix == ".md":
                if other not in self.paths:
                    self.paths.append(other)
                name = page_name(other)
            else:
                name = COPIES.get(other.name, other.name)
                shutil.copy(other, self.folder / name)
            return f"{found[1]}({name}{'#' + anchor if anchor else ''})"
        text = path.read_text(encoding="utf-8")
        return outside_code(text, lambda part: LINK.sub(change, part))

    def contents(self, current):
        parts = []
        for group, paths in self.groups:
            parts.append(f"<h2>{html.escape(group)}</h2>\n<ul>")
            for path in paths:
                title = re.search(r"^# (.*)", path.read_text(encoding="utf-8"), re.MULTILINE)[1]
                mark = ' aria-current="page"' if path == current else ""
                parts.append(f'<li><a href="{page_name(path)}"{mark}>{html.escape(title)}</a></li>')
            parts.append("</ul>")
        if self.api:
            link = os.path.relpath(self.api / "documentation/candelakit/index.html", self.folder)
            parts.append(f'<h2>Reference</h2>\n<ul><li><a href="{link}">Swift API</a></li></ul>')
        return "\n".join(parts)

    def add(self, name, title, body):
        """Adds a page's sections to the search."""
        pieces = re.split(r'<h[1-3] id="([^"]*)">(.*?)</h[1-3]>', body)
        for anchor, heading, text in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            plain = html.unescape(re.sub(r"<[^>]*>", " ", text))
            self.index.append({
                "page": title, "heading": html.unescape(re.sub(r"<[^>]*>", "", heading)),
                "link": f"{name}#{anchor}", "text": re.sub(r"\s+", " ", plain).strip()})

    def add_symbols(self):
        """Adds the API's symbols to the search, with their names and their summaries."""
        data = self.api / "data"
        for path in sorted((data / "documentation/candelakit").rglob("*.json")):
            page = json.loads(path.read_text(encoding="utf-8"))
            if page.get("kind") != "symbol":
                continue
            place = self.api / path.relative_to(data).with_suffix("") / "index.html"
            self.index.append({
                "page": "Swift API", "heading": page["metadata"]["title"],
                "link": os.path.relpath(place, self.folder),
                "text": "".join(part.get("text", part.get("code", ""))
                                for part in page.get("abstract", []))})


def readme(folder):
    """Writes README.md with links to the pages beside it."""
    def change(found):
        if re.match(r"[a-z]+:", found[2]):
            return found[0]
        path = Path(os.path.normpath(found[2].partition("#")[0]))
        name = page_name(path) if path.suffix == ".md" else COPIES.get(path.name, path.name)
        return f"{found[1]}(guides/{name})"
    text = Path("README.md").read_text(encoding="utf-8")
    (folder / "README.md").write_text(
        outside_code(text, lambda part: LINK.sub(change, part)), encoding="utf-8")


def main(arguments):
    match arguments:
        case ["check"]:
            return check()
        case ["docc", folder]:
            docc(Path(folder))
        case ["pages", folder]:
            Pages(Path(folder)).make()
        case ["pages", folder, api]:
            Pages(Path(folder), Path(api)).make()
        case ["readme", folder]:
            readme(Path(folder))
        case _:
            sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
