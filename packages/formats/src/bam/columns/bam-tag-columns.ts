import { createParts, NO_VALUE } from '../../columns/byte-lists.js';
import type { Parts } from '../../columns/wasm/part-copier.js';
import { cigarTagStart, recordEnd, tagsStart } from '../record-fields.js';
import { bamTagCode, bamTagCodeAt, bamTagEnd } from '../tags/tags.js';
import type { CheckedRecords } from './fill-fields.js';
import type { GrowingTag } from './growing-tag.js';

const CIGAR_TAG = bamTagCode('CG');
/** Bytes of the name of a tag, which its type follows. */
const NAME_BYTES = 2;
/** Numbers of tag names. */
const CODES = 2 ** 16;

/** Fills the columns of tags: one walk over the tags of each record finds them, and then each column is filled. */
export class BamTagColumns {
  readonly #columns: readonly GrowingTag[];
  /** 1 more than the index of the column of each tag name; 0 for others. */
  readonly #columnOf = new Uint16Array(CODES);
  /** The places of the values of each column, one column after another: they start at their types. */
  #parts: Parts = createParts(0);

  constructor(tags: ReadonlyMap<string, GrowingTag>) {
    this.#columns = Array.from(tags.values());
    for (const [index, name] of [...tags.keys()].entries()) this.#columnOf[bamTagCode(name)] = index + 1;
  }

  /** Appends the tags of records. Throws the same errors as `AlignmentRecord.tag`. */
  fill({ data, offsets }: CheckedRecords): void {
    const count = offsets.length;
    const needed = count * this.#columns.length;
    if (this.#parts.starts.length < needed) this.#parts = createParts(needed);
    const { starts, ends } = this.#parts;
    starts.fill(NO_VALUE, 0, needed);
    this.#find(data.view, offsets);
    for (const [index, column] of this.#columns.entries()) {
      const range = [index * count, (index + 1) * count] as const;
      column.pushAll(data, { starts: starts.subarray(...range), ends: ends.subarray(...range) });
    }
  }

  /** Finds the tags of records. Those after the last requested one of a record are not read. */
  #find(view: DataView, offsets: Int32Array): void {
    const columnOf = this.#columnOf;
    const columnCount = this.#columns.length;
    const { starts, ends } = this.#parts;
    for (let record = 0; record < offsets.length; record++) {
      const recordStart = offsets[record] ?? 0;
      const tagsEnd = recordEnd(view, recordStart);
      let missing = columnCount;
      for (let at = tagsStart(view, recordStart); at < tagsEnd && missing > 0; ) {
        const end = bamTagEnd(view, at, tagsEnd);
        const code = bamTagCodeAt(view, at);
        const column = columnOf[code] ?? 0;
        const place = (column - 1) * offsets.length + record;
        const isFirst = column > 0 && starts[place] === NO_VALUE;
        if (isFirst && !(code === CIGAR_TAG && at === cigarTagStart(view, recordStart))) {
          starts[place] = at + NAME_BYTES;
          ends[place] = end;
          missing--;
        }
        at = end;
      }
    }
  }
}
