"""Writes the VCF file argv[1] as BCF to argv[2] with a CSI index, and prints the span of each record as JSON."""

import json
import sys

import pysam

source, target = sys.argv[1:]
with pysam.VariantFile(source) as variants:
    with pysam.VariantFile(target, "wb", header=variants.header) as output:
        spans = {}
        for record in variants:
            output.write(record)
            spans[record.id] = [record.start, record.start + record.rlen]
pysam.tabix_index(target, preset="bcf", csi=True)
print(json.dumps(spans))
