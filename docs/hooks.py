"""What the site needs beyond docs/: pages from elsewhere, generated pages, and a check that nothing is fetched.

MkDocs calls the functions whose names begin with on_. Links of a page are those that work in the repository; where
one leaves docs/, the file that it names becomes a part of the site.
"""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "build" / "docs"  # scripts/docs writes it: api.md, tutorial.md, its notebook and pictures
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")  # of the repository's top
LINK = re.compile(r"(\]\(|src=\")([^)\s\"#]+)")
log = logging.getLogger("mkdocs.hooks")


def on_config(config: Any) -> Any:
    config["nav"] = _expanded(config["nav"], Path(config["docs_dir"]))
    return config


def _expanded(nav: list[Any], docs: Path) -> list[Any]:
    """The navigation, with the pages of a folder in place of its name."""
    made: list[Any] = []
    for entry in nav:
        if isinstance(entry, dict):
            for name, inner in entry.items():
                made.append({name: _expanded(inner, docs) if isinstance(inner, list) else inner})
        elif entry.endswith("/"):
            pages = sorted((docs / entry).glob("*.md"), key=lambda page: (page.name != "index.md", page.name))
            made += [str(page.relative_to(docs)) for page in pages]
        else:
            made.append(entry)
    return made


def on_files(files: Files, config: Any) -> Files:
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for path in sorted(path for path in GENERATED.rglob("*") if path.is_file()):
        files.append(File.generated(config, str(path.relative_to(GENERATED)), abs_src_path=str(path)))
    for page in files.documentation_pages():
        for _, link in LINK.findall(page.content_string):
            target = _in_repository(page.src_uri, link)
            if target and target.is_file() and files.get_file_from_path(_uri(target)) is None:
                files.append(File.generated(config, _uri(target), abs_src_path=str(target)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    def replaced(match: re.Match[str]) -> str:
        if match[2].endswith("tutorial.py"):  # in the repository the source, in the site what it makes
            return match[0].replace("tutorial.py", "tutorial.md")
        target = _in_repository(page.file.src_uri, match[2])
        if target is None or not target.exists():
            return match[0]  # MkDocs says what is wrong with it
        uri = _uri(target)
        if target.is_dir():
            inside = sorted(file.src_uri for file in files if file.src_uri.startswith(uri + "/"))
            uri = inside[0] if inside else uri
        return match[1] + os.path.relpath(uri, os.path.dirname(page.file.src_uri) or ".")

    return LINK.sub(replaced, markdown)


def _in_repository(page: str, link: str) -> Path | None:
    """The file or folder that a link of a page means, if the link does not stay within docs/."""
    if "://" in link or link.startswith(("mailto:", "/")):
        return None
    folder = ROOT if page in PAGES else (ROOT / "docs" / page).parent
    if page.startswith("repository/"):
        folder = (ROOT / page.removeprefix("repository/")).parent
    target = Path(os.path.normpath(folder / link))
    stays = page not in PAGES and target.is_relative_to(ROOT / "docs") and not target.is_dir()
    return target if target.is_relative_to(ROOT) and not stays else None


def _uri(target: Path) -> str:
    """Where a file of the repository is in the site."""
    if target.is_relative_to(ROOT / "docs"):
        return str(target.relative_to(ROOT / "docs"))
    name = str(target.relative_to(ROOT))
    return name if name in PAGES else "repository/" + name


def on_post_build(config: Any) -> None:
    """Reading the site must not send a request to anyone: no script, style, font or picture from elsewhere."""
    outside = re.compile(r"<(?:script|img|iframe|source|link)[^>]+(?:src|href)=\"?(?:https?:)?//[^\">]+")
    fetched = re.compile(r"@import[^;]*//[^;]*|url\([\"']?(?:https?:)?//[^)]*")
    pages = 0
    for path in Path(config["site_dir"]).rglob("*"):
        if path.suffix == ".html":
            pages += 1
            found = outside.findall(path.read_text())
        else:
            found = fetched.findall(path.read_text()) if path.suffix == ".css" else []
        for request in found:
            log.warning("%s fetches from elsewhere: %s", path.name, request)
    log.info("%d pages, none of which may fetch from elsewhere", pages)
