import { decodeText } from '@htskit/io';
import { type AlignmentColumns, type AlignmentRecord, MISMATCH_KINDS, type TagColumn } from '../../../src/index.js';

/** All fields that columns may have. */
export const FIELDS = [
  'referenceId',
  'start',
  'end',
  'flags',
  'mappingQuality',
  'mateReferenceId',
  'mateStart',
  'templateLength',
  'names',
  'cigar',
  'sequence',
  'qualities',
  'mismatches',
] as const;

/** The values of a record, as plain as tests can compare them. */
export type Row = Readonly<Record<string, unknown>>;

const MAX_INT32 = 2 ** 31 - 1;
const CODES = 'MIDNSHP=XB';

/** Returns the values of each record of a batch that has all fields. */
export function rowsOf(
  batch: AlignmentColumns & { readonly tags?: Readonly<Record<string, TagColumn | undefined>> },
): Row[] {
  return Array.from({ length: batch.length }, (_, i) => ({
    referenceId: batch.referenceId[i],
    start: batch.start[i],
    end: batch.end[i],
    flags: batch.flags[i],
    mappingQuality: batch.mappingQuality[i],
    mateReferenceId: batch.mateReferenceId[i],
    mateStart: batch.mateStart[i],
    templateLength: batch.templateLength[i],
    name: textOf(batch.names, i),
    cigar: Array.from(valuesOf(batch.cigar, i) ?? [], (operation) => [
      operation >>> 4,
      codeOf(CODES[operation & 0xf] ?? '?'),
    ]),
    sequence: textOf(batch.sequence, i),
    qualities: toNumbers(valuesOf(batch.qualities, i)),
    mismatches: mismatchesOf(batch, i),
    ...Object.fromEntries(Object.entries(batch.tags ?? {}).map(([name, column]) => [name, tagOf(column, i)])),
  }));
}

/** Returns the same values of a view of a record. */
export function rowOf(record: AlignmentRecord, tags: readonly string[]): Row {
  const mismatches: unknown[] = [];
  record.forEachMismatch((...numbers) => mismatches.push([MISMATCH_KINDS[numbers[0]], ...numbers.slice(1)]));
  return {
    referenceId: record.referenceId,
    start: record.start,
    end: Math.min(record.end, MAX_INT32),
    flags: record.flags,
    mappingQuality: record.mappingQuality,
    mateReferenceId: record.mateReferenceId,
    mateStart: record.mateStart,
    templateLength: record.templateLength,
    name: record.name,
    cigar: record.cigar.map(({ operation, length }) => [length, codeOf(operation)]),
    sequence: record.sequence,
    qualities: toNumbers(record.qualities),
    mismatches,
    ...Object.fromEntries(tags.map((name) => [name, plain(record.tag(name))])),
  };
}

interface List<Values> {
  readonly offsets: Int32Array;
  readonly values: Values;
  readonly validity?: Uint8Array;
}

function valuesOf<Values extends { subarray(start?: number, end?: number): Values }>(
  { offsets, values, validity }: List<Values>,
  i: number,
): Values | undefined {
  return isValid(validity, i) ? values.subarray(offsets[i], offsets[i + 1]) : undefined;
}

function textOf(column: List<Uint8Array>, i: number): string {
  return decodeText(valuesOf(column, i) ?? new Uint8Array(0));
}

function isValid(validity: Uint8Array | undefined, i: number): boolean {
  return validity === undefined || ((validity[i >> 3] ?? 0) & (1 << (i % 8))) !== 0;
}

function mismatchesOf({ mismatches }: Pick<AlignmentColumns, 'mismatches'>, i: number): unknown[] {
  const { offsets, position, readPosition, kind, length, base, reference } = mismatches;
  return Array.from({ length: (offsets[i + 1] ?? 0) - (offsets[i] ?? 0) }, (_, index) => {
    const at = (offsets[i] ?? 0) + index;
    return [MISMATCH_KINDS[kind[at] ?? 0], position[at], length[at], readPosition[at], base[at], reference[at]];
  });
}

function tagOf(column: TagColumn | undefined, i: number): unknown {
  if (column === undefined || !isValid(column.validity, i)) return undefined;
  if (column.type === 'number') return column.values[i];
  if (column.type === 'text') return textOf(column, i);
  return Array.from(column.values.subarray(column.offsets[i], column.offsets[i + 1]));
}

function plain(value: ReturnType<AlignmentRecord['tag']>): unknown {
  return typeof value === 'object' ? Array.from(value) : value;
}

function toNumbers(bytes: Uint8Array | undefined): number[] | undefined {
  return bytes && Array.from(bytes);
}

/** Codes over 9 have one character in common, which views return for all of them. */
function codeOf(operation: string): number {
  return CODES.indexOf(operation);
}
