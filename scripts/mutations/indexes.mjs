// Damaged indexes of every format, without the compression that would keep the damage from the parser; each that opens is
// asked for regions of all its references.
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import {
  BgzfError,
  compareVirtualOffsets,
  formatGzi,
  locateUncompressed,
  parseGzi,
} from '../../packages/bgzf/dist/index.js';
import {
  baseOffset,
  formatCrai,
  formatFai,
  IndexError,
  parseBinningIndex,
  parseCrai,
  parseFai,
} from '../../packages/indexes/dist/index.js';
import { readFixture } from '../../packages/testing/dist/fixture.js';

const encoder = new TextEncoder();

export const subjects = [
  { name: 'a BAI', bytes: readFixture('straddle.bam.bai'), check: checkBinningIndex },
  { name: 'a BAI with every small bin', bytes: readFixture('extra-subfield.bam.bai'), check: checkBinningIndex },
  { name: 'a CSI', bytes: gunzipSync(readFixture('reads-csi.bam.csi')), check: checkBinningIndex },
  { name: 'a CSI of a long reference', bytes: gunzipSync(readFixture('longref.bam.csi')), check: checkBinningIndex },
  { name: 'a CSI of a VCF', bytes: gunzipSync(readFixture('variants-csi.vcf.gz.csi')), check: checkBinningIndex },
  { name: 'a TBI', bytes: gunzipSync(readFixture('variants.vcf.gz.tbi')), check: checkBinningIndex },
  { name: 'a TBI, compressed', bytes: readFixture('variants.vcf.gz.tbi'), check: checkBinningIndex },
  { name: 'a CRAI', bytes: gunzipSync(readFixture('reads.cram.crai')), check: checkCrai },
  { name: 'a CRAI of several references', bytes: gunzipSync(readFixture('multiref.cram.crai')), check: checkCrai },
  { name: 'a FAI', bytes: readFixture('genome.fa.fai'), check: checkFai },
  {
    name: 'a FAI of FASTQ',
    bytes: encoder.encode('r1\t66\t3\t66\t67\t72\nr2\t28\t147\t14\t15\t178\n'),
    check: checkFai,
  },
  { name: 'a GZI', bytes: readFixture('genome.fa.gz.gzi'), check: checkGzi },
];

const STARTS = [0, 16_383, 70_000, 2 ** 29 - 1];
const WIDTHS = [1, 50_000, Number.MAX_SAFE_INTEGER];

function checkBinningIndex(bytes) {
  return accepts(bytes, IndexError, () => {
    const index = parseBinningIndex(bytes);
    assert(index.unplacedCount === undefined || isCount(index.unplacedCount));
    assertOffset(index.lastPlacedEnd());
    // A count that damage made has at most as many references as there are words.
    for (let referenceId = 0; referenceId < index.referenceCount; referenceId += 1) {
      const statistics = index.referenceStatistics(referenceId);
      assert(statistics === undefined || (isCount(statistics.mapped) && isCount(statistics.unmapped)));
      const regions = STARTS.flatMap((start) =>
        WIDTHS.map((width) => ({ referenceId, start, end: Math.min(start + width, Number.MAX_SAFE_INTEGER) })),
      );
      const separately = regions.map((region) => index.chunks(region));
      for (const chunks of separately) assertApart(chunks);
      assertApart(regions.flatMap((region) => index.interior(region) ?? []).slice(0, 1));
      const together = index.chunks(regions);
      assertApart(together);
      assert(separately.flat().every((chunk) => together.some((other) => isWithin(chunk, other))));
      assertApart(index.chunks(regions, { maxGap: 100_000 }));
    }
  });
}

/** In order, not empty, and neither overlapping nor touching. */
function assertApart(chunks) {
  let last;
  for (const { start, end } of chunks) {
    assertOffset(start);
    assertOffset(end);
    assert(compareVirtualOffsets(start, end) < 0, 'an empty chunk');
    assert(last === undefined || compareVirtualOffsets(last, start) < 0, 'chunks that overlap or touch');
    last = end;
  }
}

function isWithin(inner, outer) {
  return compareVirtualOffsets(outer.start, inner.start) <= 0 && compareVirtualOffsets(inner.end, outer.end) <= 0;
}

function assertOffset(offset) {
  if (offset === undefined) return;
  assert(isCount(offset.coffset) && isCount(offset.uoffset) && offset.uoffset < 65_536);
}

function checkCrai(bytes) {
  return accepts(bytes, IndexError, () => {
    const index = parseCrai(bytes);
    const slices = [...index.slices()];
    assert.equal(slices.length, index.sliceCount);
    assert.deepEqual([...parseCrai(encoder.encode(formatCrai(slices))).slices()], slices);
    const containers = new Set(slices.map(({ containerStart }) => containerStart));
    assert.equal(containers.size, index.containerCount);
    for (const referenceId of [...index.referenceIds, 3]) {
      for (const start of STARTS) {
        const ranges = index.containers({ referenceId, start, end: start + 50_000 });
        assertRangesApart(ranges, containers);
      }
    }
    assertRangesApart(index.containers({ referenceId: -1 }), containers);
  });
}

function assertRangesApart(ranges, containers) {
  let last = -1;
  for (const { start, end = Number.POSITIVE_INFINITY } of ranges) {
    assert(start > last && end > start && containers.has(start));
    last = end;
  }
}

function checkFai(bytes) {
  return accepts(bytes, IndexError, () => {
    const records = parseFai(bytes);
    assert.deepEqual(parseFai(encoder.encode(formatFai(records))), records);
    for (const record of records) {
      assert(isCount(baseOffset(record, 0)) && isCount(baseOffset(record, record.length)));
    }
  });
}

function checkGzi(bytes) {
  return accepts(bytes, BgzfError, () => {
    const index = parseGzi(bytes);
    assert.deepEqual(Buffer.from(formatGzi(index)), Buffer.from(bytes));
    for (const position of STARTS) checkLocation(index, position);
  });
}

/** A block that damage made too long holds nothing beyond 64 KiB. */
function checkLocation(index, position) {
  try {
    const { coffset, uoffset } = locateUncompressed(index, position);
    assert(isCount(coffset) && isCount(uoffset) && uoffset <= 65_536);
  } catch (error) {
    assert(error instanceof BgzfError && error.code === 'INVALID_OFFSET', error);
  }
}

/** Whether `read` reads it. If not, the error is one of the package, and names a byte of the index or of what it inflates to. */
function accepts(bytes, ErrorClass, read) {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof ErrorClass)) throw error;
    const end = Math.max(bytes.length, inflatedLength(bytes));
    assert(error.offset >= 0 && error.offset <= end, `offset ${error.offset} of ${end} bytes`);
    return false;
  }
}

function inflatedLength(bytes) {
  try {
    return bytes[0] === 0x1f ? gunzipSync(bytes).length : 0;
  } catch {
    return 0;
  }
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}
