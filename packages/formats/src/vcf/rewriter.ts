import { FormatError } from '../format-error.js';
import { KeyNames } from '../key-names.js';
import type { RecordCopy } from '../record-copy.js';
import { type KeySelection, type RecordEditing, type RecordEditor, RecordRewriter } from '../record-rewriter.js';
import { FormatColumns } from './format-columns.js';
import { editInfo } from './info-column.js';
import { contentEnd, countMissingOfLine, isRecordLine, lineEnd } from './line.js';

const TAB = 0x09;
/** Columns in front of INFO. */
const INFO_RANK = 7;

/**
 * Leaves keys of INFO and FORMAT out of uncompressed VCF without its header that comes in pieces cut anywhere; one name
 * means both (VCFv4.3 §1.6). Where nothing remains of INFO, FORMAT or a sample, `.` stands; a sample that lacks trailing
 * values goes on lacking them. Lines end with LF or CRLF, the last one may end with the data. Blank lines, and those that
 * begin with `#`, are no records and left out, as are empty entries of INFO.
 *
 * INVALID_DATA are records without INFO, control characters within it and, where FORMAT loses a key, within samples, and
 * samples that have more values than FORMAT has keys. Samples that lose nothing are copied without a look.
 */
export class VcfRecordRewriter extends RecordRewriter {
  constructor(selection: KeySelection) {
    super(new VcfEditing(selection));
  }
}

class VcfEditing implements RecordEditing {
  readonly countMissing = countMissingOfLine;
  readonly isEndedByData = true;
  readonly #keys: KeyNames;
  readonly #format: FormatColumns;

  constructor(selection: KeySelection) {
    this.#keys = new KeyNames(selection);
    this.#format = new FormatColumns(this.#keys);
  }

  read(bytes: Uint8Array): RecordEditor {
    return new VcfEditor(bytes, this.#keys, this.#format);
  }
}

class VcfEditor implements RecordEditor {
  readonly #bytes: Uint8Array;
  readonly #keys: KeyNames;
  readonly #format: FormatColumns;

  constructor(bytes: Uint8Array, keys: KeyNames, format: FormatColumns) {
    this.#bytes = bytes;
    this.#keys = keys;
    this.#format = format;
  }

  recordEnd(at: number): number | undefined {
    return lineEnd(this.#bytes, at);
  }

  edit(at: number, end: number, copy: RecordCopy): void {
    const bytes = this.#bytes;
    if (!isRecordLine(bytes, at, end)) {
      copy.cut(at, end);
      return;
    }
    const columnsEnd = contentEnd(bytes, at, end);
    const infoEnd = editInfo({ bytes, start: findInfo(bytes, at, columnsEnd), end: columnsEnd }, this.#keys, copy);
    if (infoEnd < columnsEnd) this.#format.edit(bytes, infoEnd + 1, columnsEnd, copy);
  }
}

/** Where the column INFO begins in the line [at, end). */
function findInfo(bytes: Uint8Array, at: number, end: number): number {
  let rank = 0;
  for (let start = at; start < end; start++) {
    if (bytes[start] === TAB && ++rank === INFO_RANK) return start + 1;
  }
  throw new FormatError('INVALID_DATA', 'a record has eight columns', { offset: at });
}
