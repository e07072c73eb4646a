import { FormatError } from '../format-error.js';

/** Half-open, in bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** Bytes of a value by its type (SAMv1 §4.2.4); strings and arrays are measured on their own. */
const VALUE_LENGTHS: Readonly<Record<string, number>> = { A: 1, c: 1, C: 1, s: 2, S: 2, i: 4, I: 4, f: 4 };

/**
 * Where the tag named `key` lies among the tags of a record, from its type to its end; undefined where there is none.
 * Throws FormatError INVALID_DATA for tags that do not fit `tags`.
 */
export function findBamTag(view: DataView, tags: ByteSpan, key: string): ByteSpan | undefined {
  for (let at = tags.start; at < tags.end; ) {
    const end = at + 2 < tags.end ? valueEnd(view, at + 2, tags.end) : undefined;
    if (end === undefined || end > tags.end) {
      throw new FormatError('INVALID_DATA', 'a tag is longer than its record, or of no known type', { offset: at });
    }
    if (view.getUint8(at) === key.charCodeAt(0) && view.getUint8(at + 1) === key.charCodeAt(1)) {
      return { start: at + 2, end };
    }
    at = end;
  }
  return undefined;
}

/** Where the value ends whose type stands at `at`; undefined for an unknown type, or a value without end. */
function valueEnd(view: DataView, at: number, limit: number): number | undefined {
  const type = String.fromCharCode(view.getUint8(at));
  if (type === 'Z' || type === 'H') return stringEnd(view, at + 1, limit);
  if (type === 'B') return arrayEnd(view, at + 1, limit);
  const length = VALUE_LENGTHS[type];
  return length && at + 1 + length;
}

function stringEnd(view: DataView, start: number, limit: number): number | undefined {
  for (let at = start; at < limit; at++) if (view.getUint8(at) === 0) return at + 1;
  return undefined;
}

function arrayEnd(view: DataView, at: number, limit: number): number | undefined {
  if (limit - at < 5) return undefined;
  const elementLength = VALUE_LENGTHS[String.fromCharCode(view.getUint8(at))];
  return elementLength && at + 5 + elementLength * view.getUint32(at + 1, true);
}
