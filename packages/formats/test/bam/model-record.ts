import * as fc from 'fast-check';
import type { BamField, BamSelection } from '../../src/index.js';
import { ascii, encodeCigar, int32, join } from './build-bam.js';

/** The fields of a record, for an independent implementation of rewriting. */
export interface ModelRecord {
  readonly referenceId: number;
  readonly position: number;
  readonly mappingQuality: number;
  /** The encoded value, which can be wrong. */
  readonly bin: number;
  readonly flag: number;
  readonly mateReferenceId: number;
  readonly matePosition: number;
  readonly templateLength: number;
  /** Without the NUL. */
  readonly name: string;
  readonly cigar: readonly (readonly [length: number, operation: string])[];
  /** Whether the CIGAR is in the tag CG, which is then the first tag. */
  readonly isCigarTag: boolean;
  /** The 4-bit code of each base. */
  readonly bases: readonly number[];
  readonly qualities: readonly number[];
  readonly tags: readonly ModelTag[];
}

interface ModelTag {
  readonly name: string;
  /** The bytes from the type on. */
  readonly value: Uint8Array;
}

/** Returns the number of reference bases that the CIGAR covers. */
function referenceLength({ cigar }: ModelRecord): number {
  return cigar.reduce((sum, [length, operation]) => sum + ('MDN=X'.includes(operation) ? length : 0), 0);
}

export function encodeModel(record: ModelRecord): Uint8Array {
  const { cigar, bases } = record;
  const placeholder: ModelRecord['cigar'] = [
    [bases.length, 'S'],
    [referenceLength(record), 'N'],
  ];
  const operations = record.isCigarTag ? placeholder : cigar;
  const cigarTag = record.isCigarTag ? [ascii('CGBI'), int32(cigar.length), encodeCigar(cigar)] : [];
  const pairs = bases.flatMap((base, index) => (index % 2 === 0 ? [base * 16 + (bases[index + 1] ?? 0)] : []));
  const body = join([
    int32(record.referenceId, record.position), // refID, pos
    Uint8Array.of(record.name.length + 1, record.mappingQuality), // l_read_name, mapq
    new Uint8Array(Uint16Array.of(record.bin, operations.length, record.flag).buffer), // bin, n_cigar_op, flag
    int32(bases.length), // l_seq
    int32(record.mateReferenceId, record.matePosition, record.templateLength), // next_refID, next_pos, tlen
    ascii(`${record.name}\0`), // read_name
    encodeCigar(operations),
    Uint8Array.from(pairs), // seq
    Uint8Array.from(record.qualities), // qual
    ...cigarTag,
    ...record.tags.flatMap(({ name, value }) => [ascii(name), value]),
  ]);
  return join([int32(body.length), body]);
}

/** The changes to a record that loses each field. */
const MISSING: Readonly<Record<BamField, Partial<ModelRecord>>> = {
  QNAME: { name: '*' },
  FLAG: { flag: 0 },
  RNAME: { referenceId: -1 },
  POS: { position: -1 },
  MAPQ: { mappingQuality: 255 },
  CIGAR: { cigar: [], isCigarTag: false },
  RNEXT: { mateReferenceId: -1 },
  PNEXT: { matePosition: -1 },
  TLEN: { templateLength: 0 },
  SEQ: { bases: [], qualities: [] },
  QUAL: {},
};

export const FIELDS = Object.keys(MISSING) as readonly BamField[];

/** Rewrites a record with a selection. */
export function rewriteModel(record: ModelRecord, { fields = FIELDS, tags, notags = [] }: BamSelection): ModelRecord {
  const missing = FIELDS.filter((field) => !fields.includes(field) && !(field === 'SEQ' && fields.includes('QUAL')));
  let rewritten: ModelRecord = {
    ...record,
    tags: record.tags.filter(({ name }) => (tags === undefined || tags.includes(name)) && !notags.includes(name)),
  };
  for (const field of missing) rewritten = { ...rewritten, ...MISSING[field] };
  if (missing.includes('QUAL')) rewritten = { ...rewritten, qualities: rewritten.bases.map(() => 0xff) };
  if (missing.includes('FLAG') && rewritten.cigar.length > 0 && rewritten.bases.length > 0) {
    rewritten = { ...rewritten, flag: record.flag & 4 };
  }
  const isMoved = missing.some((field) => ['POS', 'CIGAR', 'FLAG'].includes(field));
  return isMoved ? { ...rewritten, bin: binOfModel(rewritten) } : rewritten;
}

/** Returns the smallest bin that contains the record. */
function binOfModel(record: ModelRecord): number {
  const length = (record.flag & 4) === 0 ? Math.max(1, referenceLength(record)) : 1;
  const bins = [1, 2, 3, 4, 5].map((depth) => {
    const span = 2 ** (29 - 3 * depth);
    const index = Math.floor(record.position / span);
    return { bin: (8 ** depth - 1) / 7 + index, end: (index + 1) * span };
  });
  // Bins of positions over 512 Mb need more than the 16 bits of the field.
  return (bins.findLast(({ end }) => record.position + length <= end)?.bin ?? 0) % 2 ** 16;
}

const SIZES: Readonly<Record<string, number>> = { A: 1, c: 1, C: 1, s: 2, S: 2, i: 4, I: 4, f: 4 };

function typed(type: string, value: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return value.map((bytes) => join([ascii(type), bytes]));
}

function bytes(length: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength: length, maxLength: length });
}

function text(characters: string): fc.Arbitrary<Uint8Array> {
  return fc
    .string({ unit: fc.constantFrom(...Array.from(characters)), maxLength: 12 })
    .map((characters) => ascii(`${characters}\0`));
}

/** Values of all types, including arrays of all element types. */
const value: fc.Arbitrary<Uint8Array> = fc.oneof(
  ...Object.entries(SIZES).map(([type, size]) => typed(type, bytes(size))),
  ...Object.entries(SIZES).map(([type, size]) =>
    fc.nat(4).chain((count) =>
      typed(
        `B${type}`,
        bytes(count * size).map((elements) => join([int32(count), elements])),
      ),
    ),
  ),
  typed('Z', text('AZ az09*:')),
  typed('H', text('0123456789ABCDEF')),
);

export const TAG_NAMES = ['NM', 'MD', 'CG', 'X0', 'XA', 'ÿÿ'];

const position = fc.oneof(fc.integer({ min: -1, max: 40_000 }), fc.integer({ min: -1, max: 2 ** 31 - 1 }));
const referenceId = fc.integer({ min: -1, max: 3 });

/** Well-formed records, whether they make sense or not. */
export const modelRecord: fc.Arbitrary<ModelRecord> = fc
  .record({
    referenceId,
    position,
    mappingQuality: fc.nat(255),
    bin: fc.nat(65_535),
    flag: fc.nat(4095),
    mateReferenceId: referenceId,
    matePosition: position,
    templateLength: fc.integer(),
    name: fc.string({ unit: fc.constantFrom('r', '1', ':', '*'), maxLength: 20 }),
    cigar: fc.array(fc.tuple(fc.oneof(fc.nat(200), fc.nat(2 ** 20)), fc.constantFrom(...Array.from('MIDNSHP=X'))), {
      maxLength: 5,
    }),
    isCigarTag: fc.boolean(),
    sequence: fc.array(fc.tuple(fc.nat(15), fc.nat(255)), { maxLength: 9 }),
    tags: fc.array(fc.record({ name: fc.constantFrom(...TAG_NAMES), value }), { maxLength: 8 }),
  })
  .map(({ sequence, ...record }) => ({
    ...record,
    // A tag with fewer operations than its placeholder is not the CIGAR.
    isCigarTag: record.isCigarTag && record.cigar.length > 1,
    // Any other array could be, if the CIGAR happens to look like a placeholder.
    tags: record.cigar[0]?.[1] === 'S' ? record.tags.filter(({ name }) => name !== 'CG') : record.tags,
    bases: sequence.map(([base]) => base),
    qualities: sequence.map(([, quality]) => quality),
  }));
