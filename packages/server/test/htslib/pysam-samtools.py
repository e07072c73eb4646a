"""Runs samtools commands of pysam, given as a JSON list of lists of arguments, and prints a JSON list of their outputs."""

import json
import sys

import pysam
import pysam.samtools

pysam.set_verbosity(0)
print(
    json.dumps(
        [
            getattr(pysam.samtools, command)(*args, catch_stdout="-o" not in args and command != "index")
            for command, *args in json.loads(sys.argv[1])
        ]
    )
)
