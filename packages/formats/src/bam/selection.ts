import { type KeySelection, keepsAllKeys } from '../records/key-selection.js';
import { bamTagCode } from './tags/tags.js';

const FIELDS = ['QNAME', 'FLAG', 'RNAME', 'POS', 'MAPQ', 'CIGAR', 'RNEXT', 'PNEXT', 'TLEN', 'SEQ', 'QUAL'] as const;

/** A mandatory field of a record (SAMv1 §1.4). */
export type BamField = (typeof FIELDS)[number];

/** The fields and tags that a rewriter keeps. */
export interface BamSelection extends KeySelection {
  /** The fields to keep. Default: all fields. Keeping QUAL keeps SEQ. */
  readonly fields?: readonly BamField[];
}

/** Returns whether a selection keeps all fields and tags, so that there is nothing to rewrite. */
export function keepsWholeBamRecords(selection: BamSelection): boolean {
  return keepsAllKeys(selection) && keepsAllFields(selection);
}

/** Whether each field is kept. */
export type KeptFields = Readonly<Record<BamField, boolean>>;

/** Returns which fields a selection keeps. */
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

/** Returns whether a selection keeps all fields. */
export function keepsAllFields(selection: BamSelection): boolean {
  const kept = keptFields(selection);
  return FIELDS.every((field) => kept[field]);
}

/** Returns which tags a selection keeps: 1 at the code of each kept name, 0 at the others. */
export function keptTags({ tags, notags = [] }: KeySelection): Uint8Array {
  const kept = new Uint8Array(2 ** 16).fill(tags === undefined ? 1 : 0);
  for (const name of tags ?? []) setTag(kept, name, 1);
  for (const name of notags) setTag(kept, name, 0);
  return kept;
}

function setTag(kept: Uint8Array, name: string, value: number): void {
  const code = bamTagCode(name);
  if (code >= 0) kept[code] = value;
}
