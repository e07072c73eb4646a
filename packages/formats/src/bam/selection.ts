import { type KeySelection, keepsAllKeys } from '../record-rewriter.js';
import { bamTagCode } from './tags.js';

const FIELDS = ['QNAME', 'FLAG', 'RNAME', 'POS', 'MAPQ', 'CIGAR', 'RNEXT', 'PNEXT', 'TLEN', 'SEQ', 'QUAL'] as const;

/** A field that every record has (SAMv1 §1.4). */
export type BamField = (typeof FIELDS)[number];

/** What records keep. */
export interface BamSelection extends KeySelection {
  /** Default all. SEQ is kept where QUAL is. */
  readonly fields?: readonly BamField[] | undefined;
}

/** Whether a selection leaves all records as they are. */
export function keepsWholeBamRecords(selection: BamSelection): boolean {
  const kept = keptFields(selection);
  return keepsAllKeys(selection) && FIELDS.every((field) => kept[field]);
}

/** Whether each field is kept. */
export type KeptFields = Readonly<Record<BamField, boolean>>;

/** Which fields a selection keeps. */
export function keptFields({ fields = FIELDS }: BamSelection): KeptFields {
  const has = (field: BamField): boolean => fields.includes(field);
  return {
    QNAME: has('QNAME'),
    FLAG: has('FLAG'),
    RNAME: has('RNAME'),
    POS: has('POS'),
    MAPQ: has('MAPQ'),
    CIGAR: has('CIGAR'),
    RNEXT: has('RNEXT'),
    PNEXT: has('PNEXT'),
    TLEN: has('TLEN'),
    SEQ: has('SEQ') || has('QUAL'),
    QUAL: has('QUAL'),
  };
}

/** By the code of a tag's name, 1 if tags of that name are kept. */
export function keptTags({ tags, notags = [] }: KeySelection): Uint8Array {
  const kept = new Uint8Array(2 ** 16).fill(tags === undefined ? 1 : 0);
  for (const name of tags ?? []) setTag(kept, name, 1);
  for (const name of notags) setTag(kept, name, 0);
  return kept;
}

function setTag(kept: Uint8Array, name: string, value: number): void {
  const code = bamTagCode(name);
  if (code !== undefined) kept[code] = value;
}
