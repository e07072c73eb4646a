import { GrowingColumn } from '../../columns/growing-column.js';
import { GrowingList } from '../../columns/list-column.js';
import type { AlignmentColumnField, AlignmentColumns } from './alignment-columns.js';
import { GrowingTag } from './growing-tag.js';
import { GrowingMismatches } from './mismatch-columns.js';
import type { TagColumn } from './tag-column.js';

type GrowingBytes = GrowingList<Uint8Array<ArrayBuffer>>;
type GrowingInt32 = GrowingColumn<Int32Array<ArrayBuffer>>;

/** The column of each field while it grows. */
interface GrowingTypes {
  readonly referenceId: GrowingInt32;
  readonly start: GrowingInt32;
  readonly end: GrowingInt32;
  readonly flags: GrowingColumn<Uint16Array<ArrayBuffer>>;
  readonly mappingQuality: GrowingColumn<Uint8Array<ArrayBuffer>>;
  readonly mateReferenceId: GrowingInt32;
  readonly mateStart: GrowingInt32;
  readonly templateLength: GrowingInt32;
  readonly names: GrowingBytes;
  readonly cigar: GrowingList<Uint32Array<ArrayBuffer>>;
  readonly sequence: GrowingBytes;
  readonly qualities: GrowingBytes;
  readonly mismatches: GrowingMismatches;
}

/** The columns of the requested fields. */
export type GrowingFields = Partial<GrowingTypes>;

const int32 = (): GrowingInt32 => new GrowingColumn(Int32Array);
const bytes = (): GrowingBytes => new GrowingList(Uint8Array);

/** Creates the column of each field. */
const GROWING: { readonly [Field in AlignmentColumnField]: () => GrowingTypes[Field] } = {
  referenceId: int32,
  start: int32,
  end: int32,
  flags: () => new GrowingColumn(Uint16Array),
  mappingQuality: () => new GrowingColumn(Uint8Array),
  mateReferenceId: int32,
  mateStart: int32,
  templateLength: int32,
  names: bytes,
  cigar: () => new GrowingList(Uint32Array),
  sequence: bytes,
  qualities: bytes,
  mismatches: () => new GrowingMismatches(),
};

/** The requested columns. */
export interface ColumnSelection<Field extends AlignmentColumnField, Tag extends string> {
  readonly fields: readonly Field[];
  /** The names of tags, two characters each. Default: none. */
  readonly tags?: readonly Tag[];
}

/**
 * The columns of alignments that a decoder fills: it appends the values of a record to each of `fields` and `tags`, and counts it
 * in `length`.
 */
export class GrowingAlignments<Field extends AlignmentColumnField, Tag extends string> {
  /** The number of records. */
  length = 0;
  /** The bytes of the records, about, if the decoder counts them. */
  byteLength = 0;
  readonly fields: GrowingFields;
  readonly tags: ReadonlyMap<string, GrowingTag>;

  /** Throws `TypeError` for an unknown field. */
  constructor({ fields, tags = [] }: ColumnSelection<Field, Tag>) {
    this.fields = Object.fromEntries(fields.map((field) => [field, createColumn(field)]));
    this.tags = new Map(tags.map((tag) => [tag, new GrowingTag(tag)]));
  }

  /** Returns the columns, each in memory of its own, and starts again. */
  take(): AlignmentColumns<Field, Tag> {
    const columns: Record<string, unknown> = { length: this.length };
    for (const [field, column] of Object.entries(this.fields)) columns[field] = column.take();
    if (this.tags.size > 0) columns['tags'] = takeTags(this.tags);
    this.length = 0;
    this.byteLength = 0;
    // The constructor created a column for each field and tag.
    return columns as unknown as AlignmentColumns<Field, Tag>;
  }
}

function createColumn(field: AlignmentColumnField): GrowingFields[AlignmentColumnField] {
  if (Object.hasOwn(GROWING, field)) return GROWING[field]();
  throw new TypeError(`unknown field "${field}"; expected ${Object.keys(GROWING).join(', ')}`);
}

function takeTags(tags: ReadonlyMap<string, GrowingTag>): Record<string, TagColumn | undefined> {
  return Object.fromEntries(Array.from(tags, ([name, column]) => [name, column.take()]));
}
