import type { ByteRange } from '@htskit/io';
import { invalidData } from '../format-error.js';

// Value types (SAMv1 §4.2.4)
const [STRING, HEX_STRING, ARRAY] = [0x5a, 0x48, 0x42];

/** Bytes of a value by its type; 0 for unknown types, strings and arrays. */
const VALUE_BYTES = Uint8Array.from({ length: 256 }, (_, type) => {
  const character = String.fromCharCode(type);
  if ('AcC'.includes(character)) return 1;
  if ('sS'.includes(character)) return 2;
  return 'iIf'.includes(character) ? 4 : 0;
});

/** Bytes of a tag's name, of a type, and of the element count of an array. */
const [NAME_BYTES, TYPE_BYTES, COUNT_BYTES] = [2, 1, 4];
/** The shortest value takes one byte. */
const MIN_TAG_BYTES = NAME_BYTES + TYPE_BYTES + 1;

/**
 * Returns the bytes of the value of the tag `name`, from its type on, or undefined if the record has no such tag. Throws what
 * `bamTagEnd` throws if that tag or one before it is malformed.
 */
export function findBamTag(view: DataView, tags: ByteRange, name: string): ByteRange | undefined {
  const code = bamTagCode(name);
  for (let at = tags.start; at < tags.end; ) {
    const end = bamTagEnd(view, at, tags.end);
    if (bamTagCodeAt(view, at) === code) return { start: at + NAME_BYTES, end };
    at = end;
  }
  return undefined;
}

/** Returns the two letters of a tag's name as a number below 65,536; undefined for a string that cannot name a tag. */
export function bamTagCode(name: string): number | undefined {
  const [first, second] = [name.charCodeAt(0), name.charCodeAt(1)];
  return name.length === NAME_BYTES && first < 256 && second < 256 ? first + 256 * second : undefined;
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
    const end = valueEnd(view, at + NAME_BYTES, tagsEnd);
    if (end !== undefined && end <= tagsEnd) return end;
  }
  throw invalidData('tag has an unknown type or extends past the end of its record', at);
}

/** Returns the offset just after the value whose type is at `at`, possibly past `tagsEnd`; undefined if it is malformed. */
function valueEnd(view: DataView, at: number, tagsEnd: number): number | undefined {
  const type = view.getUint8(at);
  const start = at + TYPE_BYTES;
  if (type === STRING || type === HEX_STRING) return stringEnd(view, start, tagsEnd);
  if (type === ARRAY) return arrayEnd(view, start, tagsEnd);
  const bytes = VALUE_BYTES[type];
  return bytes ? start + bytes : undefined;
}

function stringEnd(view: DataView, start: number, tagsEnd: number): number | undefined {
  for (let at = start; at < tagsEnd; at++) if (view.getUint8(at) === 0) return at + 1;
  return undefined;
}

function arrayEnd(view: DataView, start: number, tagsEnd: number): number | undefined {
  const elements = start + TYPE_BYTES + COUNT_BYTES;
  if (elements > tagsEnd) return undefined;
  const bytes = VALUE_BYTES[view.getUint8(start)];
  return bytes ? elements + bytes * view.getUint32(start + TYPE_BYTES, true) : undefined;
}
