"""Writes a bigWig file by pyBigWig. Standard input has the references and the runs as JSON."""

import json
import sys

import pyBigWig

references, runs = json.load(sys.stdin)
file = pyBigWig.open(sys.argv[1], "w")
file.addHeader([(reference["name"], reference["length"]) for reference in references])
for run in runs:
    name = references[run["referenceId"]]["name"]
    file.addEntries([name], [run["start"]], ends=[run["end"]], values=[float(run["value"])])
file.close()
