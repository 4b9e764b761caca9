#!/usr/bin/env python3
"""Records the reference tokens of ptb_sentences.txt, or measures how characters are treated.

Needs Java and a jar of Stanford CoreNLP 3.4.1, which the Python package pycocoevalcap carries:

    python3 ptb.py JAR            writes ptb.json from ptb_sentences.txt
    python3 ptb.py JAR --classes  writes ../../src/ptb/ranges.rs

The sentences are one file to the tokeniser, so that each is seen with the next one.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unicodedata

HERE = pathlib.Path(__file__).parent
DROPPED = {"''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-",
           "--", "...", ";"}


def tokenise(jar, lines):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        command = ["java", "-Dfile.encoding=UTF-8", "-cp", jar,
                   "edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase", file.name]
        out = subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8")
    answers = out.split("\n")[:len(lines)]
    assert len(answers) == len(lines)
    return [[token for token in line.split(" ") if token] for line in answers]


def record(jar):
    lines = (HERE / "ptb_sentences.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    rows = [{"sentence": line, "all": tokens,
             "captions": [token for token in tokens if token not in DROPPED]}
            for line, tokens in zip(lines, tokenise(jar, lines))]
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (HERE / "ptb.json").write_text(f"[\n{text}\n]\n", encoding="utf-8")


# What becomes of `abXcd X Xef ghX 1X2` for a character in the place of X.
SHAPES = {"abXcd X Xef ghX 1X2": "L", "abXcd X Xef ghς 1X2": "L", "ab X cd X X ef gh X 1 X 2": "S",
          "abXcd X Xef ghX 1 X2": "M"}
TABLES = {"L": ("LETTERS", "Letters: part of a word, also after a digit."),
          "M": ("MARKS", "Marks and modifiers: part of a word, but not directly after a digit."),
          "N": ("DIGITS", "Decimal digits of other scripts."),
          "S": ("SYMBOLS", "Signs that are a token each.")}


def classes(jar):
    codes = [c for c in range(0x80, 0x10000)
             if not 0xD800 <= c < 0xE000 and c not in (0x85, 0x2028, 0x2029)]
    lines = ["ab{0}cd {0} {0}ef gh{0} 1{0}2".format(chr(c)) for c in codes]
    found = {}
    for code, tokens in zip(codes, tokenise(jar, lines)):
        shape = " ".join(tokens).replace(chr(code).lower(), "X").replace(chr(code), "X")
        kind = SHAPES.get(shape)
        if kind == "L" and unicodedata.category(chr(code)) == "Nd":
            kind = "N"
        found[code] = kind
    path = HERE / "../../src/ptb/ranges.rs"
    head = path.read_text(encoding="utf-8").split("\n/// ")[0]
    out = [head]
    for kind, (name, what) in TABLES.items():
        ranges = []
        for code in codes:
            if found[code] == kind:
                if ranges and ranges[-1][1] == code - 1:
                    ranges[-1][1] = code
                else:
                    ranges.append([code, code])
        out.append(f"/// {what}\n#[rustfmt::skip]\npub(super) const {name}: &[(u16, u16)] = &[")
        line = "   "
        for first, last in ranges:
            entry = f" (0x{first:04x}, 0x{last:04x}),"
            if len(line) + len(entry) > 100:
                out.append(line)
                line = "   "
            line += entry
        out += [line, "];\n"]
    path.write_text("\n".join(out).rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    (classes if "--classes" in sys.argv else record)(sys.argv[1])
