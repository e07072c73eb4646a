import { type ColumnValues, FormatError, type TagColumn } from '@htskit/formats';
import { UsageError } from '../../../usage-error.js';

/** A tag whose column has the same type in all batches, as SAM writes it. */
export interface TypedTag {
  readonly name: string;
  /** `i`, `f`, a text (`A`, `Z` or `H`), or `B:` and the type of the elements of an array. */
  readonly type: string;
}

type NumbersConstructor = new (values: Iterable<number>) => ColumnValues;

const NUMBERS: Readonly<Record<string, NumbersConstructor>> = { i: Int32Array, f: Float32Array };
/** The arrays of the elements of arrays (SAMv1 §1.5). */
const ELEMENTS: Readonly<Record<string, NumbersConstructor>> = {
  'B:c': Int8Array,
  'B:C': Uint8Array,
  'B:s': Int16Array,
  'B:S': Uint16Array,
  'B:i': Int32Array,
  'B:I': Uint32Array,
  'B:f': Float32Array,
};
const SYNTAX = /^([A-Za-z][A-Za-z0-9]):([AifZH]|B:[cCsSiIf])$/;

/** Parses a tag with its type, such as `NM:i`. Throws UsageError. */
export function parseTypedTag(text: string): TypedTag {
  const [, name, type] = SYNTAX.exec(text) ?? [];
  if (name !== undefined && type !== undefined) return { name, type };
  throw new UsageError(`expected a tag with its type, such as NM:i, MD:Z or ML:B:C, found ${JSON.stringify(text)}`);
}

/** Returns the column of a tag in its type. Throws `FormatError` UNSUPPORTED for stored values that the type does not hold. */
export function toTypedColumn({ name, type }: TypedTag, column: TagColumn | undefined, length: number): TagColumn {
  const stored = column ?? emptyColumn(type, length);
  const Numbers = NUMBERS[type];
  const Elements = ELEMENTS[type];
  if (stored.type === 'text' && Numbers === undefined && Elements === undefined) return stored;
  const values =
    stored.type === 'text' ? undefined : convert(stored.values, stored.type === 'array' ? Elements : Numbers);
  if (values !== undefined) return { ...stored, values } as TagColumn;
  const found = stored.type === 'array' ? 'an array' : `a ${stored.type}`;
  const message = `tag ${name} has ${found} in some record, which the type ${type} does not hold`;
  throw new FormatError('UNSUPPORTED', message, { offset: 0 });
}

/** Returns a column of no values. */
function emptyColumn(type: string, length: number): TagColumn {
  const validity = new Uint8Array(Math.ceil(length / 8));
  if (type in NUMBERS) return { type: 'number', values: new Int32Array(length), validity };
  const lists = { offsets: new Int32Array(length + 1), values: new Uint8Array(0), validity };
  return { type: type in ELEMENTS ? 'array' : 'text', ...lists };
}

/** Returns numbers in another array; undefined if it does not hold one of them. */
function convert(
  values: ColumnValues | Float64Array<ArrayBuffer>,
  Numbers: NumbersConstructor | undefined,
): ColumnValues | Float64Array<ArrayBuffer> | undefined {
  if (Numbers === undefined || values instanceof Numbers) return Numbers && values;
  const converted = new Numbers(values);
  return values.every((value, i) => Object.is(converted[i], value)) ? converted : undefined;
}
