"""What tests/frozen/run freezes: for each kind a function that gives the documents' names and how each is made, as lines
"key = value"."""
import collections
import html
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
GPUS = ("sm_60", "sm_80", "sm_90")
PADS = (0, 1, 2)
PATIENT = ("--seconds", "600")  # a machine that does much else besides ends nothing
FEW = 8  # a range of so many values is turned through all of them


class Programs:
    def __init__(self, folder):
        self.cli, self.app = folder / "warplens-cli", folder / "warplens"

    def run_cli(self, *arguments):
        return run(self.cli, *arguments)


def run(program, *arguments, **environment):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False, **environment)


def words_of(done):
    """What a program said beside its data, line by line; the place of the tree is nobody's, how long it takes the machine's."""
    said = [f"exit = {done.returncode}"] if done.returncode else []
    lines = done.stderr.replace(f"{ROOT}/", "").splitlines()
    return said + [f"said = {line}" for line in lines if ", takes long: " not in line]


# ---- reports ----------------------------------------------------------------------------------------------------------------

def value_text(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def flat(value, path, out):
    if isinstance(value, dict):
        for name, member in value.items():
            flat(member, f"{path}.{name}" if path else name, out)
    elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        for i, member in enumerate(value):
            flat(member, f"{path}[{i}]", out)
    else:
        out.append((path, value_text(value).replace("\n", "\\n")))


def report_members(report):
    """A report as pairs; a line's counts by its place and access."""
    # How long it took is nothing of the kernel's. Figures that others published are not the simulator's.
    for name in ("seconds", "published", "gpu"):
        report.pop(name, None)
    lines, out = report.pop("lines", []), []
    flat(report, "", out)
    for line in lines:
        where = (f"line {line.pop('line')}:{line.pop('column')} {line.pop('space')} {line.pop('op')} {line.pop('text')}"
                 f" ({line.pop('bytes_per_lane')} bytes)").replace("\n", " ").replace(" = ", "=")
        flat(line, where, out)
    return out


def report_of(programs, arguments, gpu):
    done = programs.run_cli("report", *arguments, "--json", "--gpu", gpu, *PATIENT)
    out = [tuple(line.split(" = ", 1)) for line in words_of(done)]
    if done.returncode == 0:
        said = json.loads(done.stdout)
        out += [pair for report in (said if isinstance(said, list) else [said]) for pair in report_members(report)]
    return out


def reports_of(programs, arguments, gpus=GPUS):
    """Of several GPU models as one document: what they have alike stands there once."""
    each = [report_of(programs, arguments, gpu) for gpu in gpus]
    if all(one == each[0] for one in each):
        return [f"{key} = {value}" for key, value in each[0]]
    seen, out = set.intersection(*(set(one) for one in each)), []
    out += [f"{key} = {value}" for key, value in each[0] if (key, value) in seen]
    for gpu, one in zip(gpus, each):
        out += [f"{gpu}: {key} = {value}" for key, value in one if (key, value) not in seen]
    return out


def is_size(parameter):
    return "choices" not in parameter and 1 <= parameter["minimum"] < parameter["default"] and parameter["maximum"] > 1024


def choices_of(scenario):
    """As it opens; each other choice of each parameter; sizes that do not come out even (on one GPU model); all of that with each
    padding."""
    out = [{}]
    for parameter in scenario.get("parameters", []):
        name, default = parameter["name"], parameter["default"]
        if name == "pad":
            continue
        values = parameter.get("choices")
        if values is None:
            low, high = parameter["minimum"], parameter["maximum"]
            values = range(low, high + 1) if high - low < FEW else []
            if is_size(parameter):
                values = [default - 1]
        out += [{name: value} for value in values if value != default]
    pads = [p for p in scenario.get("parameters", []) if p["name"] == "pad"]
    if pads:
        out = [{**choice, "pad": pad} for choice in out for pad in pads[0].get("choices", PADS)]
    return out


def scenarios():
    return [json.loads(file.read_text()) for file in sorted((ROOT / "kernels").glob("*.scenario.json"))]


def sets_of(choice):
    return [word for name, value in choice.items() for word in ("--set", f"{name}={value}")]


def reports(programs):
    out = {}
    for scenario in scenarios():
        for choice in choices_of(scenario):
            name = " ".join([scenario["name"], *(f"{key}={value}" for key, value in choice.items())])
            arguments = [scenario["name"], *sets_of(choice)]
            uneven = any(is_size(p) and choice.get(p["name"]) == p["default"] - 1 for p in scenario.get("parameters", []))
            gpus = GPUS[-1:] if uneven else GPUS
            out[name] = lambda arguments=arguments, gpus=gpus: reports_of(programs, arguments, gpus)
    return out


# ---- language ---------------------------------------------------------------------------------------------------------------

def language(programs):
    """Launches of the files of tests/language."""
    out = {}
    for line in (HERE / "launches.txt").read_text().splitlines():
        if not line.startswith("#"):
            words = shlex.split(line)
            name = " ".join([pathlib.Path(words[0]).name, *words[1:]])
            out[name] = lambda words=words: reports_of(programs, words, GPUS[-1:])
    return out


# ---- pictures ---------------------------------------------------------------------------------------------------------------

PLAIN = [("en", "light"), ("zh-CN", "dark")]
OTHER = [("en", "dark"), ("zh-CN", "light")]


def picture_list():
    """Every view of several targets: what is rendered, in which languages and themes."""
    def add(target, view, looks, *options):
        for language_, theme in looks:
            out.append((target, view, language_, theme, options))
    out = []
    place = "warplens:transpose_shared?pad=1#warp=3&access=3&wavefront=2"
    for view in ("access", "slide", "global", "shared", "map", "matrix", "source", "lanes"):
        add("transpose_shared", view, PLAIN)
    add(place, "slide", OTHER)
    add(place, "access", OTHER[:1], "--reuse")
    for view, target in [("slide", "sgemm_tiled"), ("slide", "histogram_shared"), ("slide", "hgemm_wmma"), ("global", "transpose_float4"),
                         ("global", "gather"), ("shared", "hgemm_swizzle"), ("shared", "layout_ldmatrix"), ("lanes", "hgemm_async"),
                         ("source", "flash_attention"), ("map", "spmv_vector"), ("access", "histogram_warps"),
                         ("matrix", "sgemm_naive")]:
        add(target, view, PLAIN[:1])
    add("transpose_shared", "slide", PLAIN, "--predict")
    add("copy_stride", "matrix", PLAIN[:1], "--scope", "warp")
    add("transpose_shared", "phases", PLAIN)
    add("transpose_swizzle", "phases", OTHER[:1], "--step", "2")
    add("transpose_shared", "timeline", PLAIN)
    add("reduce_strided", "timeline", OTHER[:1])
    add("transpose_shared", "landscape", PLAIN)
    add("copy_stride", "landscape", OTHER[:1], "--of", "sectors")
    add("transpose_shared", "why", PLAIN)
    add("sgemm_naive", "why", OTHER[:1])
    add("sgemm_tiled", "roofline", PLAIN)
    add("layout_swizzle", "layout", PLAIN)
    add("transpose_shared", "layout", OTHER[:1])
    add("layout_fragment", "fragments", PLAIN)
    add("transpose_shared", "comparison", PLAIN, "--against", "warplens:transpose_shared?pad=1")
    add("transpose_naive_row", "comparison", OTHER[:1], "--against", "transpose_naive_col")
    add("tests/data/ncu/transpose_padded.cu", "profile", PLAIN, "--profile", "tests/data/ncu/transpose_padded.csv",
        "--grid", "128,128", "--block", "32,32", "--set", "m=4096")
    add("tests/language/kernels/particles_aos.cu", "slide", PLAIN[:1], "--kernel", "energyOnly")
    for view, looks in (("access", PLAIN), ("slide", PLAIN[:1]), ("global", PLAIN[:1])):
        add("sum_aos", view, looks, "--set", "n=8192", "--step", "1", "--reuse")
    add("sum_aos", "slide", PLAIN[:1], "--set", "n=8192", "--step", "1", "--predict", "--reuse")
    add("sum_aos", "comparison", PLAIN[:1], "--set", "n=8192", "--step", "1", "--reuse", "--against", "sum_aos")
    add("reduce_strided", "occupancy", PLAIN[:1])
    add("copy_row", "occupancy", PLAIN[1:], "--block", "32,1")
    # What each can say: a row that is not aligned, sectors that others touched, turns of atomics on one word, padding.
    for view, target, *options in [
            ("global", "warplens:copy_offset#warp=1", "--reuse"), ("global", "copy_offset"), ("global", "copy_row"),
            ("global", "histogram_global", "--set", "nbins=1"), ("shared", "transpose_shared", "--set", "pad=1"),
            ("shared", "transpose_shared", "--set", "pad=2", "--step", "2"), ("timeline", "reduce_pairs"), ("roofline", "sgemm_naive"),
            ("occupancy", "reduce_strided", "--gpu", "sm_75"),
            ("why", "sum_aos", "--set", "n=12288"), ("why", "copy", "--set", "n=16777216", "--set", "block_x=1024")]:
        add(target, view, PLAIN[:1], *options)
    for target in ("sum_aos", "transpose_naive_col", "shared_stride", "histogram_global", "transpose_float4"):
        add(target, "why", PLAIN[:1])
    return out


def faults_of(kind, attributes):
    """What no picture has: numbers that are none, a reference out of the file, a font without a fall-back."""
    if kind == "text" and attributes.get("font-family", "").split(",")[-1].strip() not in ("sans-serif", "monospace", "serif"):
        yield f"no fall-back in font-family={attributes.get('font-family')}"
    for name, value in attributes.items():
        if name.endswith("href") and value.startswith("data:image/png;base64,"):
            continue
        if name != "id" and re.search(r"nan|inf", value):
            yield f"{name}={value}"
        if "href" in name or re.search(r"url\((?!#)", value):
            yield f"refers to something outside: {value}"


def picture_of(programs, target, view, language_, theme, options):
    """Every kind of element with its colours and how often it comes, and every text; no coordinates."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "picture.svg"
        done = programs.run_cli("render", target, "--view", view, "--lang", language_, "--theme", theme, *options, *PATIENT, "-o", file)
        out = words_of(done)
        if done.returncode == 0:
            root = xml.etree.ElementTree.parse(file).getroot()
            seen = collections.Counter()
            for element in root.iter():
                kind = element.tag.rpartition("}")[2]
                looks = [element.get("class", "")] + [f"{name}:{element.get(name)}" for name in ("fill", "stroke") if element.get(name)]
                seen[" ".join(["element", kind, *filter(None, looks)])] += 1
                seen.update(f"fault {fault}" for fault in faults_of(kind, element.attrib))
                text = re.sub(r"Warplens \d+\.\d+\.\d+", "Warplens", " ".join((element.text or "").split()))
                if text:
                    seen[f"text {json.dumps(text, ensure_ascii=False)}"] += 1
            out += [f"{key} = {count}" for key, count in sorted(seen.items())]
        return out


def pictures(programs):
    out = {}
    for target, view, language_, theme, options in picture_list():
        name = " ".join([view, target.replace("warplens:", ""), language_, theme, *options])
        out[name] = lambda words=(target, view, language_, theme, options): picture_of(programs, *words)
    return out


# ---- lessons ----------------------------------------------------------------------------------------------------------------

def lesson_of(programs, file):
    """The answers: of a copy that claims of each question that its answer is another, `validate` says what it is. Then how the
    challenge is graded as it begins, and as it is solved."""
    lesson = json.loads(file.read_text())
    for step in lesson["steps"]:
        question = step.get("predict", {})
        rules = [f"({question['ask']}) == 0 - 987654321"] if "ask" in question else []
        for choice in question.get("choices", []):
            rules += [choice["when"], f"!({choice['when']})"]
        step["says"] = step.get("says", []) + rules
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / file.name
        copy.write_text(json.dumps(lesson))
        done = programs.run_cli("validate", *PATIENT, copy)
        out = [line.replace(str(copy), "").lstrip(" :") for line in words_of(done)]
        out = [re.sub(r'^said = (?:.*: )?(steps\[\d+\])\.says: (".*") does not hold: ', r"\1: \2 does not hold = ", line) for line in out]
        out = [re.sub(r'"\((.*)\) == 0 - 987654321" does not hold', r"\1", line) for line in out]
    challenge, said = lesson["challenge"], []
    for name, values in (("as it begins", {}), ("as it is solved", challenge.get("solution", {}))):
        done = programs.run_cli("check", challenge["show"]["scenario"], *sets_of(values), "--against", file, *PATIENT)
        said += [f"{name}: exit = {done.returncode}"]
        said += [f"{name}: said = {line}" for line in (done.stdout + done.stderr).replace(f"{ROOT}/", "").splitlines()]
    return out + said


def lessons(programs):
    return {file.name.split(".")[0]: lambda file=file: lesson_of(programs, file)
            for file in sorted((ROOT / "assets" / "lessons").glob("*.lesson.json"))}


# ---- links ------------------------------------------------------------------------------------------------------------------

LINK = re.compile(r"warplens:\S+#\S+")


def link_of(programs, scenario):
    """The line of text below a slide of its second warp, and that it opens the same picture."""
    with tempfile.TemporaryDirectory() as folder:
        def drawn(target, *options):
            file = pathlib.Path(folder) / "picture.svg"
            file.unlink(missing_ok=True)
            done = programs.run_cli("render", target, "--view", "map", *options, *PATIENT, "-o", file)
            return words_of(done), file.read_text() if file.exists() else ""
        values = sets_of({p["name"]: p["choices"][-1] for p in scenario.get("parameters", []) if "choices" in p and p["name"] == "pad"})
        said, picture = drawn(scenario["name"], *values)
        found = LINK.search(html.unescape(picture))
        if not found:
            return said + ["link = "]
        link = found[0].split("<")[0]
        again = drawn(link)[1]
        return said + [f"link = {link}", f"opens = {'the same picture' if again == picture else 'another picture'}"]


def old_link_of(programs, link):
    """What the command line makes of a line that an older version wrote."""
    done = programs.run_cli("report", link, "--json", *PATIENT)
    report = json.loads(done.stdout) if done.returncode == 0 else {"launch": {}}
    out = [f"kernel = {report['kernel']}"] if "kernel" in report else []
    out += [f"values.{name} = {value}" for name, value in report.get("values", {}).items()]
    return words_of(done) + out + [f"{name} = {report['launch'][name]}" for name in ("grid", "block") if name in report["launch"]]


def links(programs):
    out = {scenario["name"]: lambda scenario=scenario: link_of(programs, scenario) for scenario in scenarios()}
    for file in sorted(HERE.glob("old/*/places.txt")):
        for link in file.read_text().splitlines():
            name = re.match(r"warplens:(\w+)", link)[1]
            out[f"{file.parent.name} {name}"] = lambda link=link: old_link_of(programs, link)
    return out


# ---- opened -----------------------------------------------------------------------------------------------------------------

def view_in(state):
    """What a state file calls the picture that is shown: where its form changes, here is the place to say it."""
    if isinstance(state.get("view"), str):
        return state["view"]
    if state.get("map", {}).get("shown"):
        return "matrix"
    if state.get("phases"):
        return "phases"
    shown = state.get("plot", {}).get("shown", "none")
    return "memory" if shown == "none" else shown


def kernel_in(prefix, settings):
    text = settings.get("text", "")
    out = [f"{prefix}scenario = {settings.get('scenario', '')}"] if not settings.get("own") else []
    out += [f"{prefix}values.{name} = {value}" for name, value in sorted(settings.get("values", {}).items())]
    out += [f"{prefix}text = {len(text.encode())} bytes beginning with {json.dumps(text[:40])}"] if text else []
    own = settings.get("own", {})
    out += [f"{prefix}own.kernel = {own['kernel']}"] if own else []
    return out + [f"{prefix}own.{name} = {value}" for name, value in sorted(own.get("fields", {}).items())]


def state_members(state):
    seen = state["seen"]
    out = kernel_in("", state) + kernel_in("A: ", state["a"] if state.get("a") else {"own": {}, "scenario": "none"})
    out += [f"view = {view_in(state)}"]
    out += [f"{name} = {value_text(state[name])}" for name in
            ("theme", "language", "present", "zoom", "stills", "speed", "reuse", "optimised", "grid_tab", "time_unit", "scene")
            if name in state]
    if view_in(state) == "matrix":
        out += [f"map.{name} = {value_text(state['map'][name])}" for name in ("array", "scope", "zoom")]
    if view_in(state) == "landscape":
        out += [f"landscape.{name} = {value_text(state['plot'][name])}" for name in ("x", "y", "measure")]
    if view_in(state) == "timeline":
        out += [f"timeline.zoom = {value_text(state['plot']['zoom'])}"]
    out += [f"asks = {value_text(state['predict']['question'])}"] if "predict" in state else []
    out += [f"lesson = {lesson['name']}, step {lesson['step']}"] if (lesson := seen.get("class", {}).get("lesson")) else []
    out += [f"profile = {len(state['profile'].get('launches', []))} launches"] if state.get("profile") else []
    for i, scene in enumerate(state.get("lecture", {}).get("scenes", [])):
        out += [f"lecture[{i}] = {value_text(scene['name'])}: {view_in(scene)} of {scene.get('scenario') or 'an own kernel'}"]
    out += [f"seen.{name} = {value_text(seen[name])}" for name in
            ("block", "warp", "access", "wavefront", "text", "space", "op", "units", "ideal") if name in seen]
    out += [f"seen.problem = {problem['message']}" for problem in seen.get("problems", [])]
    out += [f"seen.notice = {seen['notice']['key']} {seen['notice']['words']}"] if "notice" in seen else []
    return out


def opened_by(programs, target):
    """What the window shows of it, and what it says."""
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder) / "state.json"
        done = run(programs.app, target, "--size", "320x240", "--screenshot", pathlib.Path(folder) / "picture.png",
                   "--state-file", state, env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": folder,
                                               "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder})
        return words_of(done) + (state_members(json.loads(state.read_text())) if state.exists() else [])


def opened(programs):
    """Sessions, lectures and links that older versions made: they open, as they did; a view or a setting that is gone, with a word.

    tests/frozen/old/ea210176 was made in the window by that commit, whose code that writes them is that of e7d6c547, line by line.
    tests/frozen/old/58486db is what that commit's session_file.cpp and short_text.cpp write, for its own scenarios and their defaults;
    it knew no lectures."""
    out = {}
    for folder in sorted((HERE / "old").glob("*/")) if programs.app.exists() else []:
        for file in sorted(folder.glob("*.json")):
            name = file.relative_to(ROOT)
            out[f"{folder.name} {file.name}"] = lambda name=name: opened_by(programs, name)
        for line in (folder / "links.txt").read_text().splitlines():
            name, link = line.split(" ", 1)
            out[f"{folder.name} link {name}"] = lambda link=link: opened_by(programs, link)
    return out


KINDS = {"reports": reports, "language": language, "pictures": pictures, "lessons": lessons, "links": links, "opened": opened}
