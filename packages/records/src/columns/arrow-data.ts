import type { ColumnValues, ListColumn, NumberTagColumn } from '@htskit/formats';
import {
  type Data,
  type DataType,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  List,
  makeData,
  Struct,
  Uint8,
  Uint16,
  Uint32,
  Utf8,
} from 'apache-arrow';

/** A column of a table. */
export interface ArrowColumn {
  readonly field: Field;
  readonly data: Data;
}

/** Returns a column. */
export function column(name: string, data: Data, isNullable = false): ArrowColumn {
  return { field: new Field(name, data.type as DataType, isNullable), data };
}

/** Returns a column of texts in UTF-8. */
export function toText({ offsets, values, validity }: ListColumn<ColumnValues>, length: number): Data<Utf8> {
  return makeData({
    type: new Utf8(),
    length,
    valueOffsets: offsets,
    data: values as Uint8Array,
    ...nullsOf(validity),
  });
}

/** Returns a column of lists of numbers. */
export function toList({ offsets, values, validity }: ListColumn<ColumnValues>, length: number): Data<List> {
  return toListOf(toNumbers(values), offsets, length, validity);
}

/** Returns a struct of columns, none of which is null as a whole. */
export function toStruct(columns: readonly ArrowColumn[], length: number): Data<Struct> {
  const type = new Struct(columns.map(({ field }) => field));
  return makeData({ type, length, nullCount: 0, children: columns.map(({ data }) => data) });
}

/** Returns lists of the values of another column. */
export function toListOf(child: Data, offsets: Int32Array, length: number, validity?: Uint8Array): Data<List> {
  const type = new List(new Field('item', child.type as DataType, false));
  return makeData({ type, length, valueOffsets: offsets, child, ...nullsOf(validity) });
}

/** Returns lists that have the same number of values. */
export function toFixedLists(child: Data, size: number, length: number): Data<FixedSizeList> {
  const type = new FixedSizeList(size, new Field('item', child.type as DataType, false));
  return makeData({ type, length, nullCount: 0, child });
}

function nullsOf(validity: Uint8Array | undefined): { readonly nullBitmap: Uint8Array } | { readonly nullCount: 0 } {
  return validity === undefined ? { nullCount: 0 } : { nullBitmap: validity };
}

/** Returns numbers in the Arrow type of their array. */
export function toNumbers(values: ColumnValues | NumberTagColumn['values'], validity?: Uint8Array): Data {
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
