"""Runs the commands of a manifest with the samtools and bcftools of pysam, and writes what each prints, or null if it fails."""

import json
import os
import sys

import pysam
import pysam.bcftools
import pysam.samtools


def tabix(command, *args):
    """Runs the parts of tabix that pysam has as functions."""
    if command == "index":
        path, preset = args
        pysam.tabix_index(path, preset=preset, force=True)
        return ""
    path, *region = args
    # pysam itself looks for nothing but TBI.
    index = next((path + suffix for suffix in (".tbi", ".csi") if os.path.exists(path + suffix)), None)
    with pysam.TabixFile(path, index=index, encoding="utf-8") as lines:
        return "".join(f"{line}\n" for line in lines.fetch(*region[:1], *map(int, region[1:])))


def run(program, command, *args):
    try:
        if program == "tabix":
            return tabix(command, *args)
        function = getattr(getattr(pysam, program), command)
        return function(*args, catch_stdout="-o" not in args and command != "index") or ""
    except (pysam.utils.SamtoolsError, OSError, ValueError):
        return None


pysam.set_verbosity(0)
with open(sys.argv[1]) as manifest:
    jobs = json.load(manifest)
with open(sys.argv[2], "w") as results:
    json.dump([[run(*call) for call in calls] for calls in jobs], results)
