import type { ColumnValues } from '../../columns/growing-column.js';
import type { ListColumn } from '../../columns/list-column.js';

/** The values of a tag, in the type in which they are stored. Records without the tag are not valid. */
export type TagColumn = NumberTagColumn | TextTagColumn | ArrayTagColumn;

/** The values of a tag of the types `cCsSiIfd`. */
export interface NumberTagColumn {
  readonly type: 'number';
  /** `Int32Array` of integers; `Float64Array` if one is over 2^31 − 1; `Float32Array` of the type `f`. */
  readonly values: Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  /** Bit i % 8 of byte i >> 3 is 1 if record i has the tag; undefined if all have it. */
  readonly validity?: Uint8Array<ArrayBuffer>;
}

/** The values of a tag of the types `AZH`: UTF-8. */
export interface TextTagColumn extends ListColumn<Uint8Array<ArrayBuffer>> {
  readonly type: 'text';
}

/** The values of a tag of the type `B`, in the type of their elements, or in one that holds those of all records. */
export interface ArrayTagColumn extends ListColumn<ColumnValues> {
  readonly type: 'array';
}
