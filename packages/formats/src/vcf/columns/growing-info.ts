import { appendBytes, type ColumnConstructor, GrowingColumn } from '../../columns/growing-column.js';
import { GrowingValidity } from '../../columns/growing-validity.js';
import { GrowingList } from '../../columns/list-column.js';
import { invalidData } from '../../format-error.js';
import type { VariantKey } from '../variant-header.js';
import { commaOrEnd, isNumeric, parseNumber } from '../variant-values.js';
import type {
  InfoColumn,
  InfoFlagColumn,
  InfoListColumn,
  InfoNumberColumn,
  InfoTextColumn,
  NumberColumn,
} from './variant-columns.js';

type InfoNumbers = Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** A missing integer among those of a list, as BCF stores it. */
const MISSING_INT32 = -(2 ** 31);
const DOT = 0x2e;

/** The column of a key of INFO. Each call appends a record. */
export interface GrowingInfo {
  /** Appends a record without the key. */
  pushMissing(): void;
  /** Appends a record that has the key without a value. */
  pushPresent(): void;
  /** Appends the text [start, end) of a record. */
  pushText(bytes: Uint8Array, start: number, end: number): void;
  /** Appends the numbers of a record; null for missing ones. Throws `FormatError` `INVALID_DATA` if the key has texts. */
  pushNumbers(values: readonly (number | null)[]): void;
  take(): InfoColumn;
}

/** Creates the column of a key by its declaration; an undeclared one has texts. */
export function createInfo(key: VariantKey | undefined): GrowingInfo {
  if (key?.type === 'Flag') return new GrowingFlag();
  if (key === undefined || !isNumeric(key)) return new GrowingText(key?.name ?? '');
  return key.number === '1' ? new GrowingNumber(key) : new GrowingNumberList(key);
}

/** Numbers, some of which are missing. */
export class GrowingNumbers<Values extends InfoNumbers> {
  readonly #column: GrowingColumn<Values>;
  readonly #validity = new GrowingValidity();

  constructor(Values: ColumnConstructor<Values>) {
    this.#column = new GrowingColumn(Values);
  }

  push(value: number | null): void {
    const at = this.#column.reserve(1);
    this.#column.values[at] = value ?? 0;
    this.#validity.push(value !== null);
  }

  take(): NumberColumn<Values> {
    const validity = this.#validity.take();
    return { values: this.#column.take(), ...(validity !== undefined && { validity }) };
  }
}

class GrowingNumber implements GrowingInfo {
  readonly #key: VariantKey;
  readonly #numbers: GrowingNumbers<InfoNumbers>;

  constructor(key: VariantKey) {
    this.#key = key;
    this.#numbers = new GrowingNumbers<InfoNumbers>(typeOf(key));
  }

  pushMissing(): void {
    this.#numbers.push(null);
  }

  pushPresent(): void {
    this.#numbers.push(null);
  }

  pushText(bytes: Uint8Array, start: number, end: number): void {
    this.#push(parseNumber(bytes, start, commaOrEnd(bytes, start, end), this.#key));
  }

  pushNumbers([first = null]: readonly (number | null)[]): void {
    this.#push(first);
  }

  #push(value: number | null): void {
    this.#numbers.push(toStored(value, this.#key));
  }

  take(): InfoNumberColumn {
    return { type: 'number', ...this.#numbers.take() };
  }
}

class GrowingNumberList implements GrowingInfo {
  readonly #key: VariantKey;
  readonly #list: GrowingList<InfoNumbers>;
  readonly #missing: number;

  constructor(key: VariantKey) {
    this.#key = key;
    this.#list = new GrowingList<InfoNumbers>(typeOf(key));
    this.#missing = key.type === 'Integer' ? MISSING_INT32 : Number.NaN;
  }

  pushMissing(): void {
    this.#list.end(false);
  }

  pushPresent(): void {
    this.#list.end(false);
  }

  pushText(bytes: Uint8Array, start: number, end: number): void {
    const values: (number | null)[] = [];
    for (let at = start; at <= end; ) {
      const next = commaOrEnd(bytes, at, end);
      values.push(parseNumber(bytes, at, next, this.#key));
      at = next + 1;
    }
    this.pushNumbers(values);
  }

  pushNumbers(values: readonly (number | null)[]): void {
    const [first = null] = values;
    const isMissing = values.length === 1 && toStored(first, this.#key) === null;
    if (!isMissing) for (const value of values) this.#add(value);
    this.#list.end(!isMissing);
  }

  #add(value: number | null): void {
    const at = this.#list.values.reserve(1);
    this.#list.values.values[at] = toStored(value, this.#key) ?? this.#missing;
  }

  take(): InfoListColumn {
    return { type: 'list', ...this.#list.take() };
  }
}

class GrowingText implements GrowingInfo {
  readonly #name: string;
  readonly #list = new GrowingList<Uint8Array<ArrayBuffer>>(Uint8Array);

  constructor(name: string) {
    this.#name = name;
  }

  pushMissing(): void {
    this.#list.end(false);
  }

  pushPresent(): void {
    this.#list.end(false);
  }

  pushText(bytes: Uint8Array, start: number, end: number): void {
    appendText(this.#list, bytes, start, end);
  }

  pushNumbers(): void {
    throw invalidData(`INFO key ${JSON.stringify(this.#name)} is declared as a text, but has numbers`, 0);
  }

  take(): InfoTextColumn {
    return { type: 'text', ...this.#list.take() };
  }
}

class GrowingFlag implements GrowingInfo {
  readonly #column = new GrowingColumn<Uint8Array<ArrayBuffer>>(Uint8Array);

  #push(value: number): void {
    const at = this.#column.reserve(1);
    this.#column.values[at] = value;
  }

  pushMissing(): void {
    this.#push(0);
  }

  pushPresent(): void {
    this.#push(1);
  }

  pushText(): void {
    this.#push(1);
  }

  pushNumbers(): void {
    this.#push(1);
  }

  take(): InfoFlagColumn {
    return { type: 'flag', values: this.#column.take() };
  }
}

/** Appends the text [start, end) to a list; a missing one is not valid. */
export function appendText(
  list: GrowingList<Uint8Array<ArrayBuffer>>,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const isMissing = isMissingText(bytes, start, end);
  if (!isMissing) appendBytes(list.values, bytes, start, end);
  list.end(!isMissing);
}

/** Whether a text is empty or a dot. */
export function isMissingText(bytes: Uint8Array, start: number, end: number): boolean {
  return end <= start || (end - start === 1 && bytes[start] === DOT);
}

function typeOf({ type }: VariantKey): ColumnConstructor<InfoNumbers> {
  return type === 'Integer' ? Int32Array : Float32Array;
}

/** Returns null for a number that is not in the range of its type. −2^31 is a missing integer itself. */
function toStored(value: number | null, { type }: VariantKey): number | null {
  if (value === null || type !== 'Integer') return value;
  return Number.isInteger(value) && value > MISSING_INT32 && value < -MISSING_INT32 ? value : null;
}
