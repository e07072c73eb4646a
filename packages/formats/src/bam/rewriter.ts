import type { RecordCopy } from '../record-copy.js';
import { type RecordEditing, type RecordEditor, RecordRewriter } from '../record-rewriter.js';
import { type ByteSpan, toDataView } from './bam-data.js';
import { findLongCigar } from './cigar.js';
import {
  BLOCK_SIZE_BYTES,
  checkRecord,
  cigarFields,
  countMissing,
  operationCount,
  tagsStart,
  wholeRecordEnd,
} from './record-fields.js';
import { cutFields, replaceFields } from './rewriter-fields.js';
import { type BamSelection, type KeptFields, keepsWholeBamRecords, keptFields, keptTags } from './selection.js';
import { bamTagCodeAt, bamTagEnd } from './tags.js';

/** The placeholder of a long CIGAR has two operations. */
const PLACEHOLDER_OPERATIONS = 2;

/**
 * Leaves out fields and tags of uncompressed BAM records that come in pieces cut anywhere. A field that is left out has
 * the value for what is not available (SAMv1 §1.4, §4.2): QNAME and SEQ `*`, no CIGAR, QUAL 0xff, MAPQ 255, RNAME, POS, RNEXT
 * and PNEXT −1, FLAG and TLEN 0; the bin is that of the new record. FLAG 0x4 stays where an unmapped record keeps its CIGAR
 * and SEQ: htslib refuses those that do not match, but for unmapped records. The tag CG of a long CIGAR stays with CIGAR and
 * goes with it; htslib reads it for a CIGAR only where RNAME and POS stay, too.
 */
export class BamRecordRewriter extends RecordRewriter {
  constructor(selection: BamSelection) {
    super(new BamEditing(selection));
  }
}

class BamEditing implements RecordEditing {
  readonly countMissing = countMissing;
  readonly isEndedByData = false;
  readonly #kept: KeptParts;

  constructor({ fields, tags, notags }: BamSelection) {
    this.#kept = {
      fields: keptFields({ fields }),
      keepsAllFields: keepsWholeBamRecords({ fields }),
      tags: keptTags({ tags, notags }),
    };
  }

  read(bytes: Uint8Array): RecordEditor {
    return new BamEditor(toDataView(bytes), this.#kept);
  }
}

interface KeptParts {
  readonly fields: KeptFields;
  readonly keepsAllFields: boolean;
  /** By code. */
  readonly tags: Uint8Array;
}

class BamEditor implements RecordEditor {
  readonly #view: DataView;
  readonly #kept: KeptParts;

  constructor(view: DataView, kept: KeptParts) {
    this.#view = view;
    this.#kept = kept;
  }

  recordEnd(at: number): number | undefined {
    return wholeRecordEnd(this.#view, at);
  }

  edit(at: number, end: number, copy: RecordCopy): void {
    const view = this.#view;
    const { fields, keepsAllFields } = this.#kept;
    checkRecord(view, at);
    const longCigarStart = this.#longCigarStart(at);
    const start = copy.positionOf(at);
    if (!keepsAllFields) cutFields(view, at, fields, copy);
    this.#cutTags({ start: tagsStart(view, at), end }, longCigarStart, copy);
    const length = copy.positionOf(end) - start;
    if (!keepsAllFields) copy.keepTo(end);
    // The record has been copied as far as to what was cut last
    if (length !== end - at) copy.view.setUint32(start, length - BLOCK_SIZE_BYTES, true);
    if (!keepsAllFields) replaceFields(copy.view, start, { kept: fields, hasLongCigar: longCigarStart !== -1 });
  }

  #cutTags(tags: ByteSpan, longCigarStart: number, copy: RecordCopy): void {
    const view = this.#view;
    const kept = this.#kept;
    for (let at = tags.start; at < tags.end; ) {
      const end = bamTagEnd(view, at, tags.end);
      const isKept = at === longCigarStart ? kept.fields.CIGAR : kept.tags[bamTagCodeAt(view, at)] === 1;
      if (!isKept) copy.cut(at, end);
      at = end;
    }
  }

  /** Where the tag of a long CIGAR stands, −1 for another one. */
  #longCigarStart(at: number): number {
    const view = this.#view;
    if (operationCount(view, at) !== PLACEHOLDER_OPERATIONS) return -1;
    return findLongCigar(view, cigarFields(view, at))?.start ?? -1;
  }
}
