import type { ColumnValues, InfoColumn, ListColumn, TagColumn, TextListColumn } from '@htskit/formats';
import { decodeText } from '@htskit/io';
import type { ParquetWriter } from 'hyparquet-writer';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type SchemaElement = Schema[number];
type Numbers = ColumnValues | Float64Array<ArrayBuffer>;

/** A column of Parquet: the elements of its schema, and a value for each row. */
export interface ParquetColumn {
  readonly name: string;
  readonly schema: Schema;
  readonly data: Parameters<ParquetWriter['write']>[0]['columnData'][number]['data'];
}

const INTEGERS = [
  [Int8Array, 'INT_8'],
  [Uint8Array, 'UINT_8'],
  [Int16Array, 'INT_16'],
  [Uint16Array, 'UINT_16'],
  [Int32Array, 'INT_32'],
  [Uint32Array, 'UINT_32'],
] as const;

const TEXT: Omit<SchemaElement, 'name'> = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };

function repetition(isNullable: boolean): Pick<SchemaElement, 'repetition_type'> {
  return { repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' };
}

/** Returns the type of numbers by their array. */
function typeOf(values: Numbers): Omit<SchemaElement, 'name'> {
  if (values instanceof Float64Array) return { type: 'DOUBLE' };
  const [, converted_type] = INTEGERS.find(([Values]) => values instanceof Values) ?? [];
  return converted_type === undefined ? { type: 'FLOAT' } : { type: 'INT32', converted_type };
}

/** Returns a column of numbers, some of which may be missing if the column is nullable. */
export function numberColumn(
  name: string,
  { values, validity }: { readonly values: Numbers; readonly validity?: Uint8Array },
  isNullable = false,
): ParquetColumn {
  const schema = [{ name, ...typeOf(values), ...repetition(isNullable) }];
  const wide = values instanceof Float64Array || values instanceof Float32Array ? values : Int32Array.from(values);
  if (!isNullable) return { name, schema, data: wide };
  return { name, schema, data: Array.from(wide, (value, i) => (isValid(validity, i) ? value : undefined)) };
}

/** Returns a column of texts. */
export function textColumn(name: string, texts: readonly (string | undefined)[], isNullable = false): ParquetColumn {
  return { name, schema: [{ name, ...TEXT, ...repetition(isNullable) }], data: [...texts] };
}

/** Returns a column of bytes. */
export function bytesColumn(name: string, list: ListColumn<Uint8Array<ArrayBuffer>>): ParquetColumn {
  const schema: Schema = [{ name, type: 'BYTE_ARRAY', ...repetition(true) }];
  return { name, schema, data: valuesOf(list, (from, to) => list.values.subarray(from, to)) };
}

/** Returns a column of lists of numbers. */
export function listColumn(name: string, list: ListColumn<ColumnValues>, isNullable = false): ParquetColumn {
  const data = valuesOf(list, (from, to) => Array.from(list.values.subarray(from, to)));
  return { name, schema: listSchema(name, typeOf(list.values), isNullable), data };
}

/** Returns a column of lists of texts. */
export function textListColumn(name: string, { offsets, values }: TextListColumn): ParquetColumn {
  const texts = textsOf(values);
  return {
    name,
    schema: listSchema(name, TEXT, false),
    data: valuesOf({ offsets }, (from, to) => texts.slice(from, to)),
  };
}

function listSchema(name: string, element: Omit<SchemaElement, 'name'>, isNullable: boolean): Schema {
  return [
    { name, converted_type: 'LIST', ...repetition(isNullable), num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', ...element, repetition_type: 'REQUIRED' },
  ];
}

/** Returns the column of a tag. */
export function tagColumn(name: string, tag: TagColumn): ParquetColumn {
  if (tag.type === 'number') return numberColumn(name, tag, true);
  return tag.type === 'text' ? textColumn(name, textsOf(tag), true) : listColumn(name, tag, true);
}

/** Returns the column of a key of INFO. */
export function infoColumn(name: string, info: InfoColumn): ParquetColumn {
  if (info.type === 'number') return numberColumn(name, info, true);
  if (info.type === 'text') return textColumn(name, textsOf(info), true);
  if (info.type === 'list') return listColumn(name, info, true);
  return {
    name,
    schema: [{ name, type: 'BOOLEAN', ...repetition(false) }],
    data: Array.from(info.values, (flag) => flag === 1),
  };
}

/** Returns a column of structs of other columns. */
export function structColumn(name: string, columns: readonly ParquetColumn[], length: number): ParquetColumn {
  const schema: Schema = [
    { name, ...repetition(false), num_children: columns.length },
    ...columns.flatMap((column) => column.schema),
  ];
  const row = (i: number): unknown => Object.fromEntries(columns.map((column) => [column.name, column.data[i]]));
  return { name, schema, data: Array.from({ length }, (_, i) => row(i)) };
}

/** Returns the texts of a list of bytes. */
export function textsOf(list: ListColumn<Uint8Array<ArrayBuffer>>): (string | undefined)[] {
  return valuesOf(list, (from, to) => decodeText(list.values, from, to));
}

/** Returns the value of each record; undefined for a record without one. */
function valuesOf<Value>(
  { offsets, validity }: Pick<ListColumn<ColumnValues>, 'offsets' | 'validity'>,
  toValue: (from: number, to: number) => Value,
): (Value | undefined)[] {
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    isValid(validity, i) ? toValue(offsets[i] ?? 0, offsets[i + 1] ?? 0) : undefined,
  );
}

function isValid(validity: Uint8Array | undefined, i: number): boolean {
  return validity === undefined || ((validity[i >> 3] ?? 0) & (1 << (i % 8))) !== 0;
}
