import { type ByteSpan, invalidAt } from './bam-data.js';

// Types of values (SAMv1 §4.2.4)
const [STRING, HEX_STRING, ARRAY] = [0x5a, 0x48, 0x42];

/** Bytes of a value by its type, 0 for what is none; strings and arrays are measured on their own. */
const VALUE_BYTES = Uint8Array.from({ length: 256 }, (_, type) => {
  const character = String.fromCharCode(type);
  if ('AcC'.includes(character)) return 1;
  if ('sS'.includes(character)) return 2;
  return 'iIf'.includes(character) ? 4 : 0;
});

/** Bytes of a tag's name, and of the type of a value or of an array's elements. */
const NAME_BYTES = 2;
const TYPE_BYTES = 1;
const COUNT_BYTES = 4;
/** A value has at least one. */
const MIN_TAG_BYTES = NAME_BYTES + TYPE_BYTES + 1;

/**
 * Where the value of the tag `name` stands among the tags of a record, from its type on; undefined if there is none.
 * Throws as `bamTagEnd` for a tag in front of it, or itself.
 */
export function findBamTag(view: DataView, tags: ByteSpan, name: string): ByteSpan | undefined {
  const code = bamTagCode(name);
  for (let at = tags.start; at < tags.end; ) {
    const end = bamTagEnd(view, at, tags.end);
    if (bamTagCodeAt(view, at) === code) return { start: at + NAME_BYTES, end };
    at = end;
  }
  return undefined;
}

/** The number that stands for a name; undefined for what no tag can be named. */
export function bamTagCode(name: string): number | undefined {
  const [first, second] = [name.charCodeAt(0), name.charCodeAt(1)];
  return name.length === NAME_BYTES && first < 256 && second < 256 ? first + 256 * second : undefined;
}

/** The number that stands for the name of the tag at `at`, below 65536. */
export function bamTagCodeAt(view: DataView, at: number): number {
  return view.getUint16(at, true);
}

/** Where the tag at `at` ends. Throws INVALID_DATA if it is of no known type, or longer than the tags, which end at `tagsEnd`. */
export function bamTagEnd(view: DataView, at: number, tagsEnd: number): number {
  if (tagsEnd - at >= MIN_TAG_BYTES) {
    const end = valueEnd(view, at + NAME_BYTES, tagsEnd);
    if (end !== undefined && end <= tagsEnd) return end;
  }
  throw invalidAt(at, 'a tag does not fit into its record');
}

/** Where the value ends whose type stands at `at`, which may be behind `tagsEnd`; undefined if that is not found. */
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
