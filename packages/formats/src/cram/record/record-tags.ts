import type { ByteWriter } from '../../bytes/byte-writer.js';
import { copyBytes } from '../../bytes/copy-bytes.js';
import { type FormatError, invalidData } from '../../format-error.js';
import type { RecordSource } from '../slice/record-head.js';
import type { ArrayReader } from '../slice/value-reader.js';

/** A tag of a line of the dictionary. */
interface TagSource {
  /** Its two letters and its type. */
  readonly key: number;
  /** Bytes of its value; undefined for a text or an array. */
  readonly size: number | undefined;
  readonly reader: ArrayReader;
}

/** Bytes of the name and the type of a tag. */
const HEAD_BYTES = 3;
const MD = 0x4d44;
const NM = 0x4e4d;
/** The tag cF:C, by which htslib marks records that had no MD (1) or no NM (2). It is not part of the record. */
const CRAM_FLAGS_KEY = 0x63_46_43;

/** Types of texts and arrays. */
const [TEXT, HEX, ARRAY] = [0x5a, 0x48, 0x42];
const NUL = 0;

/** Bytes of a value, or of an element of an array, by the letter of its type (SAMv1 §4.2.4). */
const VALUE_BYTES: ReadonlyMap<number, number> = new Map(
  Object.entries({ A: 1, c: 1, C: 1, s: 2, S: 2, i: 4, I: 4, f: 4 }).map(([type, size]) => [type.charCodeAt(0), size]),
);

/** Reads the tags of the records of a slice. */
export class RecordTags {
  /** Whether the last record has MD or NM, or had neither before it was written to CRAM. */
  hasMd = false;
  hasNm = false;
  readonly #source: RecordSource;
  readonly #lines: (readonly TagSource[] | undefined)[] = [];

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /** Appends the tags of a record as BAM encodes them. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
  read(line: number, output: ByteWriter): void {
    this.hasMd = false;
    this.hasNm = false;
    const tags = this.#lines[line] ?? this.#openLine(line);
    for (const { key, size, reader } of tags) {
      const name = key >>> 8;
      if (name === MD) this.hasMd = true;
      if (name === NM) this.hasNm = true;
      const length = reader.read();
      const { bytes, start } = reader;
      const isValid = size === undefined ? isTextOrArray(key & 0xff, bytes, start, length) : length === size;
      if (!isValid) throw this.#invalid(`value of tag ${tagName(key)} does not have the bytes of its type`);
      if (key === CRAM_FLAGS_KEY) {
        const flags = bytes[start] ?? 0;
        if ((flags & 1) !== 0) this.hasMd = true;
        if ((flags & 2) !== 0) this.hasNm = true;
        continue;
      }
      const at = output.reserve(HEAD_BYTES + length);
      const { memory } = output;
      memory[at] = name >>> 8;
      memory[at + 1] = name & 0xff;
      memory[at + 2] = key & 0xff;
      if (size === undefined) copyBytes({ view: output.view, to: at + HEAD_BYTES }, reader.view, start, length);
      else for (let i = 0; i < length; i++) memory[at + HEAD_BYTES + i] = bytes[start + i] ?? 0;
    }
  }

  #openLine(line: number): readonly TagSource[] {
    const { compression, series } = this.#source;
    const keys = compression.tagLines[line];
    // htslib reads a dictionary of no bytes as one without lines; records without tags refer to line 0 all the same.
    if (keys === undefined && !(line === 0 && compression.tagLines.length === 0)) {
      throw this.#invalid(
        `record refers to line ${line} of the tag dictionary, which has ${compression.tagLines.length}`,
      );
    }
    const tags: TagSource[] = [];
    for (const key of keys ?? []) {
      const reader = series.tags.get(key);
      if (reader !== undefined) tags.push({ key, size: VALUE_BYTES.get(key & 0xff), reader });
      else if (series.hasAllTags) {
        throw this.#invalid(`compression header lacks the encoding of tag ${tagName(key)}`);
      }
    }
    this.#lines[line] = tags;
    return tags;
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#source.slice.offset);
  }
}

function isTextOrArray(type: number, bytes: Uint8Array, start: number, length: number): boolean {
  switch (type) {
    case TEXT:
    case HEX: {
      let end = start;
      while (end < start + length && bytes[end] !== NUL) end += 1;
      return end === start + length - 1;
    }
    case ARRAY: {
      if (length < 5) return false;
      const view = new DataView(bytes.buffer, bytes.byteOffset + start, length);
      const size = view.getUint8(0) === 0x41 ? undefined : VALUE_BYTES.get(view.getUint8(0));
      return size !== undefined && length === 5 + size * view.getUint32(1, true);
    }
    default:
      return false;
  }
}

function tagName(key: number): string {
  const [first, second, type] = [key >>> 16, (key >>> 8) & 0xff, key & 0xff];
  return JSON.stringify(String.fromCharCode(first, second, 0x3a, type));
}
