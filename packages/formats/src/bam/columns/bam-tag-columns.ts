import { createPlaces, NO_VALUE } from '../../columns/byte-lists.js';
import { cigarTagStart, recordEnd, tagsStart } from '../record-fields.js';
import { bamTagCode, bamTagCodeAt, bamTagEnd } from '../tags/tags.js';
import type { CheckedRecords } from './fill-fields.js';
import type { GrowingTag } from './growing-tag.js';

const CIGAR_TAG = bamTagCode('CG');
/** Bytes of the name of a tag, which its type follows. */
const NAME_BYTES = 2;
/** Numbers of tag names. */
const CODES = 2 ** 16;

/** A requested tag, and its places in records: they start at its type. */
interface TagSlot {
  readonly column: GrowingTag;
  starts: Int32Array;
  ends: Int32Array;
}

/** Fills the columns of tags: one walk over the tags of each record finds them, and then each column is filled. */
export class BamTagColumns {
  readonly #slots: readonly TagSlot[];
  /** 1 more than the index of the slot of each tag name; 0 for others. */
  readonly #slotOf = new Uint16Array(CODES);

  constructor(tags: ReadonlyMap<string, GrowingTag>) {
    this.#slots = Array.from(tags.values(), (column) => ({ column, ...createPlaces(0) }));
    for (const [index, name] of [...tags.keys()].entries()) this.#slotOf[bamTagCode(name)] = index + 1;
  }

  /** Appends the tags of records. Throws the same errors as `AlignmentRecord.tag`. */
  fill({ data, offsets }: CheckedRecords): void {
    const count = offsets.length;
    for (const slot of this.#slots) {
      if (slot.starts.length < count) Object.assign(slot, createPlaces(count));
      slot.starts.fill(NO_VALUE, 0, count);
    }
    for (let record = 0; record < count; record++) this.#find(data.view, offsets[record] ?? 0, record);
    for (const { column, starts, ends } of this.#slots) {
      column.pushAll(data, { starts: starts.subarray(0, count), ends: ends.subarray(0, count) });
    }
  }

  /** Finds the tags of the record at `recordStart`. Tags after the last requested one are not read. */
  #find(view: DataView, recordStart: number, record: number): void {
    const [slots, slotOf] = [this.#slots, this.#slotOf];
    const tagsEnd = recordEnd(view, recordStart);
    let missing = slots.length;
    for (let at = tagsStart(view, recordStart); at < tagsEnd && missing > 0; ) {
      const end = bamTagEnd(view, at, tagsEnd);
      const code = bamTagCodeAt(view, at);
      const slot = slots[(slotOf[code] ?? 0) - 1];
      const isFirst = slot !== undefined && slot.starts[record] === NO_VALUE;
      if (isFirst && !(code === CIGAR_TAG && at === cigarTagStart(view, recordStart))) {
        slot.starts[record] = at + NAME_BYTES;
        slot.ends[record] = end;
        missing--;
      }
      at = end;
    }
  }
}
