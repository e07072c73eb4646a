import type {
  AlignmentColumnTypes,
  ColumnValues,
  ListColumn,
  MismatchColumns,
  NumberTagColumn,
  TagColumn,
} from '@htskit/formats';
import {
  type Data,
  type DataType,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  List,
  makeData,
  Null,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Uint8,
  Uint16,
  Uint32,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';

/** Columns of alignments, as `AlignmentFile.columns` yields them. */
export interface ArrowInput extends Partial<AlignmentColumnTypes> {
  readonly length: number;
  readonly tags?: Readonly<Record<string, TagColumn | undefined>>;
}

/** The columns of an Arrow table. */
export interface ArrowOptions {
  /**
   * The references of the file. The table then has their names as the columns `reference` and `mateReference`, encoded by a
   * dictionary, instead of `referenceId` and `mateReferenceId`.
   */
  readonly references?: readonly { readonly name: string }[];
}

/**
 * Returns an Arrow table of a batch. It shares the memory of the columns: nothing is copied, except for the names of references.
 * Needs `apache-arrow`, which is an optional dependency.
 *
 * `names`, `sequence` and tags that are texts become Utf8, `cigar`, `qualities` and arrays lists, and `mismatches` a list of structs.
 * Each tag is a column of its own, of nulls if no record of the batch has it.
 *
 * @example
 * ```ts
 * import { openAlignments } from '@htskit/records';
 * import { toArrow } from '@htskit/records/arrow';
 *
 * const file = await openAlignments('reads.bam');
 * for await (const batch of file.columns('chr1', { fields: ['start', 'flags'], tags: ['NM'] })) {
 *   console.log(toArrow(batch).select(['start', 'NM']).toString());
 * }
 * ```
 */
export function toArrow(batch: ArrowInput, { references }: ArrowOptions = {}): Table {
  const { length, tags = {}, ...fields } = batch;
  const dictionary = references && dictionaryOf(references);
  const columns = [
    ...Object.entries(fields).map(([name, values]) => toColumn(name, values, length, dictionary)),
    ...Object.entries(tags).map(([name, column]) => toTagColumn(name, column, length)),
  ];
  const schema = new Schema(columns.map(({ field }) => field));
  const children = columns.map(({ data }) => data);
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return new Table([new RecordBatch(schema, data)]);
}

interface ArrowColumn {
  readonly field: Field;
  readonly data: Data;
}

type ReferenceNames = Vector<Utf8>;

/** The number of the dictionary of names, which all batches of a stream share. */
const NAMES_DICTIONARY = 0;
/** The dictionary of each list of references, so that a stream has it once. */
const dictionaries = new WeakMap<NonNullable<ArrowOptions['references']>, ReferenceNames>();

function dictionaryOf(references: NonNullable<ArrowOptions['references']>): ReferenceNames {
  const known = dictionaries.get(references);
  if (known !== undefined) return known;
  const names = references.map(({ name }) => name);
  const dictionary = vectorFromArray(names, new Utf8());
  dictionaries.set(references, dictionary);
  return dictionary;
}

/** The columns that are texts. */
const TEXTS: readonly string[] = ['names', 'sequence'] satisfies (keyof AlignmentColumnTypes)[];

function toColumn(
  name: string,
  values: AlignmentColumnTypes[keyof AlignmentColumnTypes],
  length: number,
  dictionary: ReferenceNames | undefined,
): ArrowColumn {
  if ('kind' in values) return column(name, toMismatches(values, length));
  if ('offsets' in values) {
    const isNullable = name === 'qualities';
    return column(name, TEXTS.includes(name) ? toText(values, length) : toList(values, length), isNullable);
  }
  if (dictionary !== undefined && values instanceof Int32Array && name.toLowerCase().endsWith('referenceid')) {
    return column(name.slice(0, -'Id'.length), toNames(values, dictionary), true);
  }
  return column(name, toNumbers(values));
}

function toTagColumn(name: string, tag: TagColumn | undefined, length: number): ArrowColumn {
  if (tag === undefined) return column(name, makeData({ type: new Null(), length }), true);
  if (tag.type === 'number') return column(name, toNumbers(tag.values, tag.validity), true);
  return column(name, tag.type === 'text' ? toText(tag, length) : toList(tag, length), true);
}

function column(name: string, data: Data, isNullable = false): ArrowColumn {
  return { field: new Field(name, data.type as DataType, isNullable), data };
}

function toText({ offsets, values, validity }: ListColumn<ColumnValues>, length: number): Data<Utf8> {
  return makeData({
    type: new Utf8(),
    length,
    valueOffsets: offsets,
    data: values as Uint8Array,
    ...nullsOf(validity),
  });
}

function toList({ offsets, values, validity }: ListColumn<ColumnValues>, length: number): Data<List> {
  const child = toNumbers(values);
  return makeData({
    type: new List(new Field('item', child.type, false)),
    length,
    valueOffsets: offsets,
    child,
    ...nullsOf(validity),
  });
}

function toMismatches({ offsets, ...columns }: MismatchColumns, length: number): Data<List> {
  const parts = Object.entries(columns).map(([name, values]) => column(name, toNumbers(values as ColumnValues)));
  const type = new Struct(parts.map(({ field }) => field));
  const child = makeData({
    type,
    length: columns.position.length,
    nullCount: 0,
    children: parts.map(({ data }) => data),
  });
  return makeData({
    type: new List(new Field('item', type, false)),
    length,
    nullCount: 0,
    valueOffsets: offsets,
    child,
  });
}

function toNames(ids: Int32Array, dictionary: ReferenceNames): Data<Dictionary<Utf8, Int32>> {
  const validity = new Uint8Array(Math.ceil(ids.length / 8));
  for (const [i, id] of ids.entries()) {
    if (id >= 0 && id < dictionary.length) validity[i >> 3] = (validity[i >> 3] ?? 0) | (1 << (i % 8));
  }
  const type = new Dictionary(dictionary.type, new Int32(), NAMES_DICTIONARY);
  return makeData({ type, length: ids.length, nullBitmap: validity, data: ids, dictionary });
}

function nullsOf(validity: Uint8Array | undefined): { readonly nullBitmap: Uint8Array } | { readonly nullCount: 0 } {
  return validity === undefined ? { nullCount: 0 } : { nullBitmap: validity };
}

/** Returns numbers in the Arrow type of their array. */
function toNumbers(values: ColumnValues | NumberTagColumn['values'], validity?: Uint8Array): Data {
  const rest = { length: values.length, ...nullsOf(validity) };
  if (values instanceof Int8Array) return makeData({ type: new Int8(), data: values, ...rest });
  if (values instanceof Uint8Array) return makeData({ type: new Uint8(), data: values, ...rest });
  if (values instanceof Int16Array) return makeData({ type: new Int16(), data: values, ...rest });
  if (values instanceof Uint16Array) return makeData({ type: new Uint16(), data: values, ...rest });
  if (values instanceof Int32Array) return makeData({ type: new Int32(), data: values, ...rest });
  if (values instanceof Uint32Array) return makeData({ type: new Uint32(), data: values, ...rest });
  if (values instanceof Float32Array) return makeData({ type: new Float32(), data: values, ...rest });
  return makeData({ type: new Float64(), data: values, ...rest });
}
