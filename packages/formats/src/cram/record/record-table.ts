import { CRAM_FLAG, type RecordHead } from '../slice/record-head.js';
import type { StoredSlice } from '../slice/stored-slice.js';

/** Bits of FLAG (SAMv1 §1.4). */
export const BAM_FLAG = { paired: 1, unmapped: 4, mateUnmapped: 8, reverse: 16, mateReverse: 32, first: 64 } as const;

/** The flags of the mate of a detached record (CRAM 3.1 §10.4). */
const MATE_FLAG = { reverse: 1, unmapped: 2 } as const;

/** The least bytes of a BAM record. */
const MIN_RECORD_BYTES = 38;

/** The fields of the records of a slice that depend on their mates, and those that their mates depend on. */
export class RecordTable {
  readonly recordCount: number;
  /** FLAG of BAM. */
  readonly flags: Uint16Array;
  readonly referenceIds: Int32Array;
  /** 0-based. */
  readonly starts: Int32Array;
  /** The last position on the reference that each record covers, 1-based; its start if it covers none. */
  readonly lasts: Int32Array;
  readonly mateReferenceIds: Int32Array;
  /** 0-based. */
  readonly mateStarts: Int32Array;
  readonly templateLengths: Int32Array;
  /** The index of the next record of each record's template, which follows in the slice; −1 for none. */
  readonly next: Int32Array;
  /** 1 for each record that stores its template length. */
  readonly hasTemplateLength: Uint8Array;
  /** Whether a record has a mate in the slice. */
  hasMates = false;
  /** Bytes from the start of the file to the slice, for the offsets of errors. */
  readonly offset: number;

  constructor({ header, budget, offset }: StoredSlice) {
    const { recordCount } = header;
    // Bounds the memory for each record before it is allocated.
    budget.spendBytes(MIN_RECORD_BYTES * recordCount, offset);
    this.recordCount = recordCount;
    this.offset = offset;
    this.flags = new Uint16Array(recordCount);
    this.referenceIds = new Int32Array(recordCount);
    this.starts = new Int32Array(recordCount);
    this.lasts = new Int32Array(recordCount);
    this.mateReferenceIds = new Int32Array(recordCount);
    this.mateStarts = new Int32Array(recordCount);
    this.templateLengths = new Int32Array(recordCount);
    this.next = new Int32Array(recordCount).fill(-1);
    this.hasTemplateLength = new Uint8Array(recordCount);
  }

  /** Sets the fields of a record without a mate, or with the stored mate of a detached record. */
  set(record: number, head: RecordHead): void {
    let { flags } = head;
    if ((head.mateFlags & MATE_FLAG.reverse) !== 0) flags |= BAM_FLAG.paired | BAM_FLAG.mateReverse;
    if ((head.mateFlags & MATE_FLAG.unmapped) !== 0) flags |= BAM_FLAG.mateUnmapped;
    this.flags[record] = flags;
    this.referenceIds[record] = head.referenceId;
    this.starts[record] = head.start - 1;
    this.mateReferenceIds[record] = (flags & BAM_FLAG.paired) === 0 ? -1 : head.mateReferenceId;
    this.mateStarts[record] = head.mateStart - 1;
    this.templateLengths[record] = head.templateLength;
    if (head.mateDistance >= 0) {
      this.next[record] = record + 1 + head.mateDistance;
      this.hasMates = true;
    }
    const detachedOrExplicit = CRAM_FLAG.hasTemplateLength | CRAM_FLAG.isDetached;
    if ((head.cramFlags & detachedOrExplicit) === CRAM_FLAG.hasTemplateLength) this.hasTemplateLength[record] = 1;
  }
}
