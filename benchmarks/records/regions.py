"""python regions.py PATH GENOME REGIONS: reads regions of an alignment file with pysam, twice, and prints what each time takes, as
JSON. REGIONS is a JSON list of objects with start and end. For a PATH of `--version`, prints the version."""

import json
import resource
import sys
import time

import pysam

if sys.argv[1] == "--version":
    print(pysam.__version__)
    sys.exit()

path, genome, regions = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
runs = []
file = None
for _ in range(2):
    before = time.process_time()
    if file is None:
        file = pysam.AlignmentFile(path, reference_filename=genome)
    records = values = 0
    for region in regions:
        for read in file.fetch("chr1", region["start"], region["end"]):
            records += 1
            values += read.reference_start + read.reference_end + read.flag
    seconds = time.process_time() - before
    sums = {"records": records, "values": values}
    runs.append({"sums": sums, "cpuSeconds": seconds, "busiestSeconds": seconds})
peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"runs": runs, "peakBytes": peak}))
