"""Prints as JSON what pyBigWig reads of a bigWig file. Standard input has the windows whose statistics are printed, from the zoom levels."""

import json
import sys

import pyBigWig

file = pyBigWig.open(sys.argv[1])
windows = json.load(sys.stdin)
types = ["mean", "min", "max", "coverage", "std", "sum"]
print(json.dumps({
    "header": file.header(),
    "chromosomes": file.chroms(),
    "intervals": {name: file.intervals(name) or [] for name in file.chroms()},
    "statistics": [
        {type: file.stats(name, start, end, type=type, nBins=1, exact=False)[0] for type in types}
        for name, start, end in windows
    ],
}))
