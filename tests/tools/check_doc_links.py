#!/usr/bin/env python3
"""Every link of README.md, CONTRIBUTING.md and docs/ to a file or a heading of the repository leads there."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def headings(page):
    """The names that GitHub gives to headings, and those that the page sets itself."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ +(.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles} | set(re.findall(r'(?:id|name)="([^"]+)"', text))


def main():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    wrong, looked_at = [], 0
    for page in pages:
        text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            looked_at += 1
            file, _, heading = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            if not target.exists():
                wrong.append(f"{page.relative_to(ROOT)}: {link}: there is no such file")
            elif heading and target.suffix == ".md" and heading not in headings(target):
                wrong.append(f"{page.relative_to(ROOT)}: {link}: there is no such heading")
    if looked_at < 100:
        wrong.append(f"only {looked_at} links were found")
    print("\n".join(wrong) or f"{looked_at} links of {len(pages)} pages")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
