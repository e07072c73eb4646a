import type { Dictionary, DictionaryEntry } from '../vcf/variant-header.js';

/** Positions whose last entry is remembered. */
const REMEMBERED = 256;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Looks entries of a dictionary up by the bytes of their names. Most lines have the names of the line before at the same
 * positions, so that comparing bytes finds them without a text.
 */
export class NameLookup {
  readonly #dictionary: Dictionary;
  readonly #last: (DictionaryEntry | undefined)[] = Array.from({ length: REMEMBERED });

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Returns the entry whose name is the bytes [start, end), which is at `position` in its line. */
  find(bytes: Uint8Array, start: number, end: number, position: number): DictionaryEntry | undefined {
    const last = this.#last[position];
    if (last !== undefined && hasName(last, bytes, start, end)) return last;
    const entry = this.#dictionary.byName.get(decoder.decode(bytes.subarray(start, end)));
    if (position < REMEMBERED) this.#last[position] = entry;
    return entry;
  }
}

function hasName({ bytes: name }: DictionaryEntry, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}
