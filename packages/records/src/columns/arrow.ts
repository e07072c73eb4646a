import type {
  AlignmentColumnTypes,
  ColumnValues,
  InfoColumn,
  MismatchColumns,
  TagColumn,
  VariantColumnTypes,
} from '@htskit/formats';
import {
  type Data,
  Dictionary,
  Int32,
  type List,
  makeData,
  Null,
  RecordBatch,
  Schema,
  Table,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { type ArrowColumn, column, toList, toListOf, toNumbers, toStruct, toText } from './arrow-data.js';
import { toVariantColumns } from './arrow-variants.js';

/** Columns of alignments or of variants, as `columns` of a file yields them. */
export interface ArrowInput extends Partial<AlignmentColumnTypes>, Partial<VariantColumnTypes> {
  readonly length: number;
  readonly tags?: Readonly<Record<string, TagColumn | undefined>>;
  readonly info?: Readonly<Record<string, InfoColumn>>;
}

/** The columns of an Arrow table. */
export interface ArrowOptions {
  /**
   * The references of the file: `file.references` of alignments, `file.header.contigs.entries` of variants. The table then has their
   * names as the columns `reference` and `mateReference`, encoded by a dictionary, instead of `referenceId` and `mateReferenceId`.
   */
  readonly references?: readonly ({ readonly name: string } | undefined)[];
}

/**
 * Returns an Arrow table of a batch. It shares the memory of the columns: nothing is copied, except for the names of references.
 * Needs `apache-arrow`, which is an optional dependency.
 *
 * `names`, `sequence` and tags that are texts become Utf8, `cigar`, `qualities` and arrays lists, and `mismatches` a list of structs.
 * Each tag is a column of its own, of nulls if no record of the batch has it.
 *
 * Of variants, `ids` and `filters` become Utf8, `alleles` a list of Utf8, and `info` a struct of the keys. `genotypes` becomes two
 * columns of lists of a fixed size, an entry for each sample: `genotypes`, the numbers of alleles as a list of the ploidy, and `phased`.
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
    ...Object.keys(fields).flatMap(
      (name) => toVariantColumns(batch, name) ?? toAlignmentColumn(batch, name, dictionary) ?? [],
    ),
    ...Object.entries(tags).map(([name, column]) => toTagColumn(name, column, length)),
  ];
  const data = toStruct(columns, length);
  return new Table([new RecordBatch(new Schema(data.type.children), data)]);
}

type ReferenceNames = Vector<Utf8>;

/** The number of the dictionary of names, which all batches of a stream share. */
const NAMES_DICTIONARY = 0;
/** The dictionary of each list of references, so that a stream has it once. */
const dictionaries = new WeakMap<NonNullable<ArrowOptions['references']>, ReferenceNames>();

function dictionaryOf(references: NonNullable<ArrowOptions['references']>): ReferenceNames {
  const known = dictionaries.get(references);
  if (known !== undefined) return known;
  const names = references.map((reference) => reference?.name ?? null);
  const dictionary = vectorFromArray(names, new Utf8());
  dictionaries.set(references, dictionary);
  return dictionary;
}

/** The columns that are texts. */
const TEXTS: readonly string[] = ['names', 'sequence'] satisfies (keyof AlignmentColumnTypes)[];

/** Returns what a field of alignments becomes, or a column of numbers. */
function toAlignmentColumn(
  { length, ...fields }: Partial<AlignmentColumnTypes> & Pick<ArrowInput, 'length'>,
  name: string,
  dictionary: ReferenceNames | undefined,
): ArrowColumn | undefined {
  const values = fields[name as keyof typeof fields];
  if (values === undefined) return undefined;
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

function toMismatches({ offsets, ...columns }: MismatchColumns, length: number): Data<List> {
  const parts = Object.entries(columns).map(([name, values]) => column(name, toNumbers(values as ColumnValues)));
  return toListOf(toStruct(parts, columns.position.length), offsets, length);
}

function toNames(ids: Int32Array, dictionary: ReferenceNames): Data<Dictionary<Utf8, Int32>> {
  const validity = new Uint8Array(Math.ceil(ids.length / 8));
  for (const [i, id] of ids.entries()) {
    if (id >= 0 && id < dictionary.length) validity[i >> 3] = (validity[i >> 3] ?? 0) | (1 << (i % 8));
  }
  const type = new Dictionary(dictionary.type, new Int32(), NAMES_DICTIONARY);
  return makeData({ type, length: ids.length, nullBitmap: validity, data: ids, dictionary });
}
