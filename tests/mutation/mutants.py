"""The mutants of a C++ source: every place in a function where one operator, number or statement can be another.

Nothing here knows C++ beyond what clang-format makes of it: a comparison has a blank on either side and a template's bracket
has none, a statement begins a line. What is no C++ any more does not build, and does not count."""
import bisect
import collections
import hashlib
import re

# nth: which of the places of this operator in this function, from 1.
Mutant = collections.namedtuple("Mutant", "path function operator nth line begin end text")

BETWEEN_BLANKS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
                  "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "&": ["|"], "|": ["&"], "^": ["|"],
                  "<<": [">>"], ">>": ["<<"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "|=": ["&="], "&=": ["|="]}
SWAPPED = {"true": "false", "false": "true", "min": "max", "max": "min", "all_of": "any_of", "any_of": "all_of",
           "continue": "break"}
NO_FUNCTION = {"if", "for", "while", "switch", "catch", "return", "sizeof", "decltype", "alignas", "static_assert"}
BEFORE_BODY = re.compile(r"(\)|\bconst|\bnoexcept|\boverride|\bfinal|\bmutable|->[\w:<>,&* ]+)\s*$")


def blanked(text):
    """The text with blanks for comments, literals of characters and lines of the preprocessor, every place where it was."""
    kinds = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*'
    return re.sub(kinds, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)


def functions(text):
    """(name, header, begin, end) of the bodies in blanked text; of those within others the outermost alone."""
    stack, begin, body = [], 0, None
    for place in re.finditer(r"[{};]", text):
        if place[0] == "{":
            header = text[begin:place.start()].strip()
            kind, name = ("other", "") if body else _what_begins(header)
            stack.append((kind, name))
            if kind == "initialiser":
                continue  # the header goes on behind it
            if kind == "function":
                scopes = [n for k, n in stack[:-1] if k == "class"]
                body = ("::".join([*scopes, name]), header, place.end(), len(stack))
        elif place[0] == "}":
            if body and len(stack) == body[3]:
                yield body[0], body[1], body[2], place.start()
                body = None
            if stack and stack.pop()[0] == "initialiser":
                continue
        begin = place.end()


def _what_begins(header):
    if re.search(r"\bnamespace\b[\w: ]*$|^extern\s*$", header):
        return "namespace", ""
    of_class = re.search(r"\b(?:class|struct|union|enum(?: class)?)\s+(\w+)[^()]*$", header)
    if of_class:
        return "class", of_class[1]
    name = re.search(r"([\w:~]+|operator\s*\S+?)\s*\(", header)
    if not name or name[1] in NO_FUNCTION or re.search(r"=\s*$|^\s*(?:constexpr )?[\w:<>, ]+ \w+\s*=", header):
        return "other", ""
    return ("function", name[1]) if BEFORE_BODY.search(header) else ("initialiser", "")


def _changes(header, text, begin, end):
    """(operator, begin, end, text) of each change in a body."""
    for m in re.compile(r"(?<= )([-<>=!&|+*/%^]{1,3})(?=[ \n])").finditer(text, begin, end):
        for other in BETWEEN_BLANKS.get(m[1], ()):
            yield f"{m[1]} to {other}", *m.span(1), other
    for m in re.compile(r"(?<![\w.:>'])(?:std::|ranges::|std::ranges::)?(" + "|".join(SWAPPED) + r")\b(?=[ ();,:}])").finditer(text, begin, end):
        yield f"{m[1]} to {SWAPPED[m[1]]}", *m.span(1), SWAPPED[m[1]]
    for m in re.compile(r"(?<![\w.'])(\d+)(?![\w.'])").finditer(text, begin, end):
        yield "number plus 1", *m.span(1), str(int(m[1]) + 1)
        if int(m[1]) > 1:
            yield "number minus 1", *m.span(1), str(int(m[1]) - 1)
    for m in re.compile(r"(?<=[ (])!(?=[\w(*])").finditer(text, begin, end):
        yield "! left out", *m.span(), ""
    for m in re.compile(r"^[ \t]*((?!return\b|co_return\b|delete\b|throw\b|using\b|static_assert\b)[\w.:\[\]>*()-]*\w\([^;{}]*\);)[ \t]*$", re.M).finditer(text, begin, end):
        if not re.match(r"[\w:]+(?:<[^;]*>)? [*&]?\w+\(", m[1]):  # declares a variable
            yield "call left out", *m.span(1), ";"
    if re.search(r"(?:^|[\s;}])void\s+[\w:~]+\s*\(", header):
        yield "returns at once", begin, begin, " return;"
    elif re.search(r"(?:^|[\s;}])bool\s+[\w:~]+\s*\(", header):
        for word in ("true", "false"):
            yield f"returns {word} at once", begin, begin, f" return {word};"


def mutants(path, text):
    """All of a source's, in order."""
    plain = blanked(text)
    newlines = [m.start() for m in re.finditer("\n", text)]
    numbers, found = collections.Counter(), []
    for name, header, first, last in functions(plain):
        for operator, begin, end, other in sorted(_changes(header, plain, first, last), key=lambda c: (c[1], c[0])):
            numbers[name, operator] += 1
            found.append(Mutant(path, name, operator, numbers[name, operator], bisect.bisect_left(newlines, begin) + 1, begin, end, other))
    return found


def sample(all_of_them, number, seed):
    """So many of them, the same ones for the same seed whatever else there is."""
    def order(m):
        return hashlib.sha256(f"{seed} {m.path} {m.function} {m.operator} {m.nth}".encode()).digest()
    return sorted(sorted(all_of_them, key=order)[:number], key=lambda m: (m.path, m.begin))


def changed(mutant, text):
    return text[:mutant.begin] + mutant.text + text[mutant.end:]


def read_equivalent(file):
    """What stands in equivalent.txt: {(path, function, operator, nth or 0 for all): reason}."""
    known = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            entry = re.fullmatch(r"(\S+) (\S+) \| (.+?)(?: #(\d+))? \| (.+)", line)
            if not entry:
                raise ValueError(f"{file.name}:{number}: not PATH FUNCTION | OPERATOR #NTH | REASON")
            known[entry[1], entry[2], entry[3], int(entry[4] or 0)] = entry[5]
    return known


def reason(mutant, known):
    key = (mutant.path, mutant.function, mutant.operator)
    return known.get((*key, mutant.nth)) or known.get((*key, 0), "")
