import { RecordCopy } from './record-copy.js';
import { type RecordEnds, type RecordLayout, RecordSplitter } from './record-splitter.js';

/** The keys that records keep: tags of BAM, INFO and FORMAT keys of VCF and BCF. */
export interface KeySelection {
  /** All but those of `notags` by default. */
  readonly tags?: readonly string[] | undefined;
  /** Taken away from `tags`. Default none. */
  readonly notags?: readonly string[] | undefined;
}

/** Whether a selection leaves all keys as they are. */
export function keepsAllKeys({ tags, notags = [] }: KeySelection): boolean {
  return tags === undefined && notags.length === 0;
}

/** Rewrites the records in some bytes that begin with one. Throws `FormatError`, whose offset counts from those bytes. */
export interface RecordEditor extends RecordEnds {
  /** Cuts from `copy`, whose source are those bytes, what the record [at, end) is not to keep. */
  edit(at: number, end: number, copy: RecordCopy): void;
}

/** How records are told apart in one format, and what rewrites them. */
export type RecordEditing = RecordLayout<RecordEditor>;

/** Rewrites records that come in pieces cut anywhere. */
export class RecordRewriter {
  readonly #records: RecordSplitter<RecordEditor>;
  readonly #copy = new RecordCopy();

  constructor(editing: RecordEditing) {
    this.#records = new RecordSplitter(editing);
  }

  /**
   * The records that end in `piece`, rewritten and in order: views of memory that the next call uses again. Throws `FormatError`
   * INVALID_DATA or LIMIT_EXCEEDED for bytes that are no record, whose offset counts from the first piece.
   */
  push(piece: Uint8Array): Uint8Array[] {
    this.#records.push(piece, (bytes, editor) => editRecords(bytes, editor, this.#copy));
    return this.#take();
  }

  /**
   * What is left when all pieces have come. Throws `FormatError` TRUNCATED if a record has begun that did not end, and as
   * `push` where the end of the data ends one.
   */
  finish(): Uint8Array[] {
    this.#records.finish((record, editor) => {
      this.#copy.begin(record);
      editor.edit(0, record.length, this.#copy);
      this.#copy.keepTo(record.length);
    });
    return this.#take();
  }

  #take(): Uint8Array[] {
    const rewritten = this.#copy.take();
    return rewritten.length === 0 ? [] : [rewritten];
  }
}

/** Adds the rewritten records to `copy`, and returns where the last whole record ends. */
function editRecords(bytes: Uint8Array, editor: RecordEditor, copy: RecordCopy): number {
  copy.begin(bytes);
  let at = 0;
  let end = editor.recordEnd(at);
  while (end !== undefined) {
    editor.edit(at, end, copy);
    at = end;
    end = editor.recordEnd(at);
  }
  copy.cut(at, bytes.length);
  return at;
}
