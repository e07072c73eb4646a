import { AlignmentRecord } from '@htskit/formats';
import type { DecodedRecord } from '../file/decode-file.js';
import type { HtsgetSubject } from '../htsget-subject.js';
import { BINS, type BinnedRegion } from './coverage-bins.js';

/** Values of the bins of a region that were computed from its records. */
export interface RecomputedBins {
  readonly values: readonly number[];
  /** Undefined for variants. */
  readonly max: readonly number[] | undefined;
}

/** Computes the depth of reads or the number of variants by bin, from records that have all of the region. */
export function recomputeBins(
  { datatype }: Pick<HtsgetSubject, 'datatype'>,
  region: BinnedRegion,
  records: readonly DecodedRecord[],
): RecomputedBins {
  const placed = records.filter(({ referenceName }) => referenceName === region.referenceName);
  return datatype === 'reads' ? depthBins(placed, region) : { values: countStarts(placed, region), max: undefined };
}

/** The bits of FLAG of reads that `samtools depth` leaves out: UNMAP, SECONDARY, QCFAIL and DUP. */
const EXCLUDED_FLAGS = 0x704;

function depthBins(reads: readonly DecodedRecord[], { start, end }: BinnedRegion): RecomputedBins {
  const depths = new Uint32Array(end - start);
  const record = new AlignmentRecord();
  for (const { bytes } of reads) {
    record.at(bytes, 0);
    if ((record.flags & EXCLUDED_FLAGS) !== 0) continue;
    let base = record.start - start;
    record.forEachCigar((operation, length) => {
      const next = /[MDN=X]/.test(operation) ? base + length : base;
      if (/[M=X]/.test(operation)) addDepth(depths, base, next);
      base = next;
    });
  }
  const bins = Array.from({ length: BINS }, (_, bin) => partOf(depths, bin));
  return {
    values: bins.map((bin) => bin.reduce((sum, depth) => sum + depth, 0) / bin.length),
    max: bins.map((bin) => bin.reduce((most, depth) => Math.max(most, depth), 0)),
  };
}

function addDepth(depths: Uint32Array, start: number, end: number): void {
  const last = Math.min(end, depths.length);
  for (let base = Math.max(0, start); base < last; base++) depths[base] = (depths[base] ?? 0) + 1;
}

function partOf(depths: Uint32Array, bin: number): Uint32Array {
  const bases = depths.length / BINS;
  return depths.subarray(bin * bases, (bin + 1) * bases);
}

/** Counts the variants that begin in each bin. One at POS 0, before the first base, counts at the first base. */
function countStarts(variants: readonly DecodedRecord[], { start, end }: BinnedRegion): readonly number[] {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const variant of variants) {
    const bin = Math.floor(((Math.max(0, variant.start) - start) / (end - start)) * BINS);
    if (bin in counts) counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
