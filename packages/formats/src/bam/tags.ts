import { type ByteSpan, invalidAt } from './bam-data.js';

/** Bytes of a value by its type (SAMv1 §4.2.4); strings and arrays are measured on their own. */
const VALUE_BYTES: ReadonlyMap<string, number> = new Map([
  ['A', 1],
  ['c', 1],
  ['C', 1],
  ['s', 2],
  ['S', 2],
  ['i', 4],
  ['I', 4],
  ['f', 4],
]);

/** Bytes of a tag's name, and of the type of a value or of an array's elements. */
const NAME_BYTES = 2;
const TYPE_BYTES = 1;
const COUNT_BYTES = 4;

/**
 * Where the value of the tag `name` stands among the tags of a record, from its type on; undefined if there is none.
 * Throws INVALID_DATA if a tag in front of it, or itself, is of no known type or longer than `tags`.
 */
export function findBamTag(view: DataView, tags: ByteSpan, name: string): ByteSpan | undefined {
  for (let at = tags.start; at < tags.end; ) {
    const start = at + NAME_BYTES;
    const end = start < tags.end ? valueEnd(view, { start, end: tags.end }) : undefined;
    if (end === undefined || end > tags.end) throw invalidAt(at, 'a tag does not fit into its record');
    if (String.fromCharCode(view.getUint8(at), view.getUint8(at + 1)) === name) return { start, end };
    at = end;
  }
  return undefined;
}

/** Where the value ends whose type stands at the start of the span; undefined if the type or the end is not found. */
function valueEnd(view: DataView, { start, end }: ByteSpan): number | undefined {
  const type = typeAt(view, start);
  const value = { start: start + TYPE_BYTES, end };
  if (type === 'Z' || type === 'H') return stringEnd(view, value);
  if (type === 'B') return arrayEnd(view, value);
  const bytes = VALUE_BYTES.get(type);
  return bytes && value.start + bytes;
}

function stringEnd(view: DataView, { start, end }: ByteSpan): number | undefined {
  for (let at = start; at < end; at++) if (view.getUint8(at) === 0) return at + 1;
  return undefined;
}

function arrayEnd(view: DataView, { start, end }: ByteSpan): number | undefined {
  const elements = start + TYPE_BYTES + COUNT_BYTES;
  if (elements > end) return undefined;
  const bytes = VALUE_BYTES.get(typeAt(view, start));
  return bytes && elements + bytes * view.getUint32(start + TYPE_BYTES, true);
}

function typeAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at));
}
