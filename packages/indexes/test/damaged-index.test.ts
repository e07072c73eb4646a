import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import {
  BgzfError,
  compareVirtualOffsets,
  formatGzi,
  type GziIndex,
  locateUncompressed,
  parseGzi,
  type VirtualOffset,
  type VirtualRange,
} from '@htskit/bgzf';
import { encodeText } from '@htskit/io';
import { checkMutations, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { baseOffset, formatCrai, formatFai, IndexError, parseBinningIndex, parseCrai, parseFai } from '../src/index.js';

// `pnpm mutate indexes` runs these tests at volume. The damage is done to the uncompressed index, because compression
// would keep it from the parser. An index that opens must answer queries of all its references.

const encoder = new TextEncoder();
const fastqLines = 'r1\t66\t3\t66\t67\t72\nr2\t28\t147\t14\t15\t178\n';

test.each([
  ['BAI', readFixture('straddle.bam.bai'), checkBinningIndex],
  ['BAI with every small bin', readFixture('extra-subfield.bam.bai'), checkBinningIndex],
  ['CSI', gunzipSync(readFixture('reads-csi.bam.csi')), checkBinningIndex],
  ['CSI of a long reference', gunzipSync(readFixture('longref.bam.csi')), checkBinningIndex],
  ['CSI of a VCF', gunzipSync(readFixture('variants-csi.vcf.gz.csi')), checkBinningIndex],
  ['TBI', gunzipSync(readFixture('variants.vcf.gz.tbi')), checkBinningIndex],
  ['compressed TBI', readFixture('variants.vcf.gz.tbi'), checkBinningIndex],
  ['CRAI', gunzipSync(readFixture('reads.cram.crai')), checkCrai],
  ['CRAI of several references', gunzipSync(readFixture('multiref.cram.crai')), checkCrai],
  ['FAI', readFixture('genome.fa.fai'), checkFai],
  ['FAI of FASTQ', encoder.encode(fastqLines), checkFai],
  ['GZI', readFixture('genome.fa.gz.gzi'), checkGzi],
])('answers queries of a damaged %s, or refuses it with the offset', async (_, bytes, check) => {
  const { refused } = await checkMutations(bytes, { seed: 20, count: 60, check });
  expect(refused).toBeGreaterThan(0);
});

const STARTS = [0, 16_383, 70_000, 2 ** 29 - 1];
const WIDTHS = [1, 50_000, Number.MAX_SAFE_INTEGER];

function checkBinningIndex(bytes: Uint8Array): boolean {
  return accepts(bytes, IndexError, () => {
    const index = parseBinningIndex(bytes);
    assert(index.unplacedCount === undefined || isCount(index.unplacedCount));
    assertOffset(index.lastPlacedEnd());
    // A damaged count is at most the number of words in the index.
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

/** Checks that chunks are in order, not empty, and neither overlap nor touch. */
function assertApart(chunks: readonly VirtualRange[]): void {
  let last: VirtualOffset | undefined;
  for (const { start, end } of chunks) {
    assertOffset(start);
    assertOffset(end);
    assert(compareVirtualOffsets(start, end) < 0, 'an empty chunk');
    assert(last === undefined || compareVirtualOffsets(last, start) < 0, 'chunks that overlap or touch');
    last = end;
  }
}

function isWithin(inner: VirtualRange, outer: VirtualRange): boolean {
  return compareVirtualOffsets(outer.start, inner.start) <= 0 && compareVirtualOffsets(inner.end, outer.end) <= 0;
}

function assertOffset(offset: VirtualOffset | undefined): void {
  if (offset === undefined) return;
  assert(isCount(offset.coffset) && isCount(offset.uoffset) && offset.uoffset < 65_536);
}

function checkCrai(bytes: Uint8Array): boolean {
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

function assertRangesApart(
  ranges: readonly { readonly start: number; readonly end?: number }[],
  containers: ReadonlySet<number>,
): void {
  let last = -1;
  for (const { start, end = Number.POSITIVE_INFINITY } of ranges) {
    assert(start > last && end > start && containers.has(start));
    last = end;
  }
}

function checkFai(bytes: Uint8Array): boolean {
  return accepts(bytes, IndexError, () => {
    const records = parseFai(bytes);
    assert.deepEqual(parseFai(encodeText(formatFai(records))), records);
    for (const record of records) {
      assert(isCount(baseOffset(record, 0)) && isCount(baseOffset(record, record.length)));
    }
  });
}

function checkGzi(bytes: Uint8Array): boolean {
  return accepts(bytes, BgzfError, () => {
    const index = parseGzi(bytes);
    assert.deepEqual(Buffer.from(formatGzi(index)), Buffer.from(bytes));
    for (const position of STARTS) checkLocation(index, position);
  });
}

/** Locates a position in an index whose damage may have made a block longer than 64 KiB. */
function checkLocation(index: GziIndex, position: number): void {
  try {
    const { coffset, uoffset } = locateUncompressed(index, position);
    assert(isCount(coffset) && isCount(uoffset) && uoffset <= 65_536);
  } catch (error) {
    if (!(error instanceof BgzfError && error.code === 'INVALID_OFFSET')) throw error;
  }
}

/** Returns whether `read` succeeds. An error must name a byte of the index, or of the index inflated. */
function accepts(bytes: Uint8Array, ErrorClass: typeof IndexError | typeof BgzfError, read: () => void): boolean {
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

function inflatedLength(bytes: Uint8Array): number {
  try {
    return bytes[0] === 0x1f ? gunzipSync(bytes).length : 0;
  } catch {
    return 0;
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
