"""docs/mutation.md, made from the results of the whole table."""
import datetime
import re

HEAD = """# Can the tests see a fault?

`tests/mutation/run` makes small faults in the sources, one at a time and in a copy, builds what each touches, and runs the
tests: a fault that some test sees is *killed*. The table of faults is in [tests/mutation/faults](../tests/mutation/faults); this
page is written by the command.

```sh
tests/mutation/run                       # the whole table; goes on where an interrupted run was
tests/mutation/run slice-atomic-stores   # one fault; --only '*slice*' several, --list all of them with their places
```

"""


def killers_of(file):
    """Per fault: the test that killed it when the page was written."""
    if not file.is_file():
        return {}
    return dict(re.findall(r"^\| `([a-z0-9-]+)` .*\| `([^`|]+)` \(test_\w+[^|]*\|$", file.read_text(), re.M))


def _row(fault, result):
    if result["outcome"] == "killed":
        how = f", {result['how']}" if result["how"] else ""
        seen = f"`{result['test']}` ({result['program']}{how})"
    elif result["outcome"] == "survived":
        seen = "equivalent, see below" if fault.reason else "**survived**"
    else:
        seen = f"**{result['outcome']}**"
    return f"| `{fault.name}` | {fault.words.replace('|', chr(92) + '|')} | {seen} |"


def write(root, table, results):
    killed = sum(r["outcome"] == "killed" for r in results.values())
    survived = [f for f in table if results[f.name]["outcome"] == "survived"]
    explained = sum(1 for f in survived if f.reason)
    which = "each" if explained == len(survived) else explained
    text = HEAD + (f"On {datetime.date.today():%d %B %Y}: **{killed} of {len(table)} faults are killed "
                   f"({100 * killed / len(table):.1f} %)**; {len(survived)} survive, {which} of them "
                   "because no input can tell it from the sources.\n")
    for path in dict.fromkeys(f.path for f in table):
        text += f"\n## {path}\n\n| fault | what it does | killed by |\n|---|---|---|\n"
        text += "\n".join(_row(f, results[f.name]) for f in table if f.path == path) + "\n"
    if survived:
        text += "\n## Survivors\n\n"
        for fault in survived:
            text += f"- `{fault.name}` ({fault.path}): {fault.reason or 'no test sees it yet.'}\n"
    (root / "docs/mutation.md").write_text(text, encoding="utf-8")
