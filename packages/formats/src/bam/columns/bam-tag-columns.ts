import { cigarTagStart, type RecordData, recordEnd, tagsStart } from '../record-fields.js';
import { bamTagCode, bamTagCodeAt, bamTagEnd } from '../tags/tags.js';
import type { CheckedRecords } from './fill-fields.js';
import type { GrowingTag } from './growing-tag.js';

const CIGAR_TAG = bamTagCode('CG');
/** Bytes of a tag before its value, and before its type. */
const [TAG_HEADER_BYTES, TYPE_OFFSET] = [3, 2];

/** A requested tag. */
interface TagSlot {
  readonly code: number;
  readonly column: GrowingTag;
  /** The number of the last record that has the tag. */
  lastRecord: number;
}

/** Fills the columns of tags, in one walk over the tags of each record. */
export class BamTagColumns {
  readonly #slots: readonly TagSlot[];
  #record = 0;

  constructor(tags: ReadonlyMap<string, GrowingTag>) {
    this.#slots = Array.from(tags, ([name, column]) => ({ code: bamTagCode(name), column, lastRecord: 0 }));
  }

  /** Appends the tags of records. Throws the same errors as `AlignmentRecord.tag`. */
  fill({ data, offsets }: CheckedRecords): void {
    for (const at of offsets) {
      const record = ++this.#record;
      this.#fillFrom(data, at, record);
      for (const slot of this.#slots) if (slot.lastRecord !== record) slot.column.pushMissing();
    }
  }

  /** Appends the tags that the record at `recordStart` has. Tags after the last requested one are not read. */
  #fillFrom(data: RecordData, recordStart: number, record: number): void {
    const { view } = data;
    const tagsEnd = recordEnd(view, recordStart);
    let missing = this.#slots.length;
    for (let at = tagsStart(view, recordStart); at < tagsEnd && missing > 0; ) {
      const end = bamTagEnd(view, at, tagsEnd);
      const slot = this.#slotOf(bamTagCodeAt(view, at), record);
      if (slot !== undefined && !(slot.code === CIGAR_TAG && at === cigarTagStart(view, recordStart))) {
        slot.column.push(view.getUint8(at + TYPE_OFFSET), data, at + TAG_HEADER_BYTES, end);
        slot.lastRecord = record;
        missing--;
      }
      at = end;
    }
  }

  /** Returns the slot of a tag unless the record had that tag before. */
  #slotOf(code: number, record: number): TagSlot | undefined {
    for (const slot of this.#slots) if (slot.code === code) return slot.lastRecord === record ? undefined : slot;
    return undefined;
  }
}
