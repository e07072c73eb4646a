import { LENGTHS_BYTES, MAX_SAMPLES, RECORD_FIELDS } from './record.js';
import type { TypedValueReader } from './typed-value.js';
import type { ValueVector } from './value-vector.js';

/** The vectors of FORMAT of a record (VCFv4.3 §6.3.2). They are read up to the one that is needed, and once. */
export class FormatVectors {
  readonly sampleCount: number;
  readonly #values: TypedValueReader;
  readonly #byteEnd: number;
  /** The keys that were not read. */
  #left: number;
  #at: number;
  readonly #vectors: (ValueVector & { readonly key: number })[] = [];

  /** Creates the vectors of the record [at, byteEnd), which `values` reads. */
  constructor(
    values: TypedValueReader,
    { view, at, byteEnd }: { readonly view: DataView; readonly at: number; readonly byteEnd: number },
  ) {
    this.#values = values;
    this.#byteEnd = byteEnd;
    this.sampleCount = view.getUint32(at + RECORD_FIELDS.sampleCount, true) & MAX_SAMPLES;
    this.#left = view.getUint8(at + RECORD_FIELDS.formatCount);
    this.#at = at + LENGTHS_BYTES + view.getUint32(at, true);
  }

  /** Returns the vector of the key with a number; undefined if the record does not have it. */
  find(key: number): ValueVector | undefined {
    for (const vector of this.#vectors) if (vector.key === key) return vector;
    while (this.#left > 0) {
      const vector = this.#read();
      if (vector.key === key) return vector;
    }
    return undefined;
  }

  /** Returns the numbers of all keys. */
  keys(): readonly number[] {
    while (this.#left > 0) this.#read();
    return this.#vectors.map(({ key }) => key);
  }

  #read(): ValueVector & { readonly key: number } {
    const values = this.#values;
    values.enter(this.#at, this.#byteEnd);
    const key = values.readInteger();
    values.read(this.sampleCount);
    const { type, count, elementBytes, start } = values;
    const vector = { key, type, count, elementBytes, start };
    this.#vectors.push(vector);
    this.#left--;
    this.#at = values.at;
    return vector;
  }
}
