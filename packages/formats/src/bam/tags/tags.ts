import type { ByteRange } from '@htskit/io';
import { hasZero } from '../../bytes/copy-bytes.js';
import { invalidData } from '../../format-error.js';

// Value types (SAMv1 §4.2.4)
const [STRING, HEX_STRING, ARRAY] = [0x5a, 0x48, 0x42];

/** Bytes of a value by its type; 0 for unknown types, strings and arrays. */
const VALUE_BYTES = Uint8Array.from({ length: 256 }, (_, type) => {
  const character = String.fromCharCode(type);
  if ('AcC'.includes(character)) return 1;
  if ('sS'.includes(character)) return 2;
  if ('iIf'.includes(character)) return 4;
  // Not in the specification. htslib reads and writes it, so that files have it.
  return character === 'd' ? 8 : 0;
});

/** No array has elements of the type `d`. */
const MAX_ELEMENT_BYTES = 4;

/** Bytes of a tag's name, of a type, and of the element count of an array. */
const [NAME_BYTES, TYPE_BYTES, COUNT_BYTES] = [2, 1, 4];
/** The shortest value takes one byte. */
const MIN_TAG_BYTES = NAME_BYTES + TYPE_BYTES + 1;

/** A code that no tag of a record has. */
const NO_CODE = -1;

/**
 * Returns the offset of the first tag in [start, end) whose name has the given code, or −1 if there is none. Throws what
 * `bamTagEnd` throws if that tag or one before it is malformed.
 */
export function findBamTag(view: DataView, { start, end }: ByteRange, code: number): number {
  for (let at = start; at < end; ) {
    const tagEnd = bamTagEnd(view, at, end);
    if (bamTagCodeAt(view, at) === code) return at;
    at = tagEnd;
  }
  return -1;
}

/** Returns the two letters of a tag's name as a number below 65,536; −1 for a string that cannot name a tag. */
export function bamTagCode(name: string): number {
  const first = name.charCodeAt(0);
  const second = name.charCodeAt(1);
  return name.length === NAME_BYTES && first < 256 && second < 256 ? first + 256 * second : NO_CODE;
}

/** Returns the code of the name of the tag at `at`. */
export function bamTagCodeAt(view: DataView, at: number): number {
  return view.getUint16(at, true);
}

/**
 * Returns the offset just after the tag at `at`. Throws `FormatError` `INVALID_DATA` if its type is unknown or it extends past
 * `tagsEnd`, the end of the record.
 */
export function bamTagEnd(view: DataView, at: number, tagsEnd: number): number {
  if (tagsEnd - at >= MIN_TAG_BYTES) {
    const start = at + NAME_BYTES + TYPE_BYTES;
    const bytes = VALUE_BYTES[view.getUint8(at + NAME_BYTES)] ?? 0;
    const end = bytes > 0 ? start + bytes : variableEnd(view, start, tagsEnd);
    if (end <= tagsEnd) return end;
  }
  throw invalidData('tag has an unknown type or extends past the end of its record', at);
}

/** Returns the offset just after the string or array that starts at `start`; one past `tagsEnd` for other and malformed values. */
function variableEnd(view: DataView, start: number, tagsEnd: number): number {
  const type = view.getUint8(start - TYPE_BYTES);
  if (type === STRING || type === HEX_STRING) {
    let at = start;
    // Four bytes at a time: MD of a long read has thousands.
    while (at + 4 <= tagsEnd && !hasZero(view.getInt32(at, true))) at += 4;
    while (at < tagsEnd && view.getUint8(at) !== 0) at++;
    return at + 1;
  }
  return type === ARRAY ? arrayEnd(view, start, tagsEnd) : tagsEnd + 1;
}

function arrayEnd(view: DataView, start: number, tagsEnd: number): number {
  const elements = start + TYPE_BYTES + COUNT_BYTES;
  if (elements > tagsEnd) return tagsEnd + 1;
  const bytes = VALUE_BYTES[view.getUint8(start)] ?? 0;
  return bytes > 0 && bytes <= MAX_ELEMENT_BYTES
    ? elements + bytes * view.getUint32(start + TYPE_BYTES, true)
    : tagsEnd + 1;
}
