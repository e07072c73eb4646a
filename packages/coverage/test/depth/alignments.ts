import type { DepthColumns, DepthFilter, DepthRuns } from '../../src/index.js';

const OPERATIONS = 'MIDNSHP=X';

/** An alignment, as tests state it. */
export interface TestAlignment {
  readonly referenceId: number;
  readonly start: number;
  readonly cigar: string;
  readonly flags?: number;
  readonly mappingQuality?: number;
  /** The quality of each base of the read; undefined if they are not stored. */
  readonly qualities?: readonly number[] | undefined;
}

/** Returns alignments as columns. */
export function toColumns(alignments: readonly TestAlignment[]): DepthColumns {
  const operations = alignments.map(({ cigar }) =>
    [...cigar.matchAll(/(\d+)([MIDNSHP=X])/g)].map(
      ([, length, type = '']) => Number(length) * 16 + OPERATIONS.indexOf(type),
    ),
  );
  const qualities = alignments.map((alignment) => alignment.qualities ?? []);
  return {
    length: alignments.length,
    referenceId: Int32Array.from(alignments, ({ referenceId }) => referenceId),
    start: Int32Array.from(alignments, ({ start }) => start),
    flags: Uint16Array.from(alignments, ({ flags = 0 }) => flags),
    mappingQuality: Uint8Array.from(alignments, ({ mappingQuality = 60 }) => mappingQuality),
    cigar: { offsets: offsetsOf(operations), values: Uint32Array.from(operations.flat()) },
    qualities: { offsets: offsetsOf(qualities), values: Uint8Array.from(qualities.flat()) },
  };
}

function offsetsOf(lists: readonly (readonly number[])[]): Int32Array {
  const offsets = new Int32Array(lists.length + 1);
  for (const [i, { length }] of lists.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length;
  return offsets;
}

/** Returns the depth of every base that a record spans, base by base: lines of a reference, a base and a depth. */
export function expectedDepth(
  alignments: readonly TestAlignment[],
  { excludeFlags = 0x704, minMappingQuality = 0, minBaseQuality = 0, countDeletions = false }: DepthFilter,
): string[] {
  const depths = new Map<number, Map<number, number>>();
  for (const { referenceId, start, cigar, flags = 0, mappingQuality = 60, qualities } of alignments) {
    if ((flags & excludeFlags) !== 0 || mappingQuality < minMappingQuality || start < 0) continue;
    const reference = depths.get(referenceId) ?? new Map<number, number>();
    depths.set(referenceId, reference);
    if (!/[MDN=X]/.test(cigar)) reference.set(start, reference.get(start) ?? 0);
    let [base, queryBase] = [start, 0];
    for (const [, length, type = ''] of cigar.matchAll(/(\d+)([MIDNSHP=X])/g)) {
      const isCounted = 'M=X'.includes(type) || (type === 'D' && countDeletions);
      const [referenceStep, queryStep] = [Number('MDN=X'.includes(type)), Number('MIS=X'.includes(type))];
      for (let i = 0; i < Number(length); i++) {
        const isGood = (qualities?.[queryBase] ?? Infinity) >= minBaseQuality;
        if (referenceStep > 0) reference.set(base, (reference.get(base) ?? 0) + Number(isCounted && isGood));
        base += referenceStep;
        queryBase += queryStep;
      }
    }
  }
  return [...depths].flatMap(([id, reference]) =>
    [...reference].sort(([a], [b]) => a - b).map(([base, depth]) => `${id} ${base} ${depth}`),
  );
}

/** Returns the same alignments, with `scale` bases in place of each base. Their reads have no qualities. */
export function scaleAlignments(alignments: readonly TestAlignment[], scale: number): TestAlignment[] {
  return alignments.map((alignment) => ({
    ...alignment,
    start: alignment.start * scale,
    cigar: alignment.cigar.replace(/\d+/g, (length) => String(Number(length) * scale)),
    qualities: undefined,
  }));
}

/** Returns the runs in the form of `expectedDepth`, with a line for every `scale` bases. */
export function toLines(runs: readonly DepthRuns[], scale = 1): string[] {
  const lines: string[] = [];
  for (const { referenceId, length, start, end, depth } of runs) {
    for (let i = 0; i < length; i++) {
      for (let base = (start[i] ?? 0) / scale; base < (end[i] ?? 0) / scale; base++) {
        lines.push(`${referenceId} ${base} ${depth[i]}`);
      }
    }
  }
  return lines;
}
