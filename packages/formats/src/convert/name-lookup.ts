import { decodeText } from '@htskit/io';
import { invalidData } from '../format-error.js';
import type { Dictionary, DictionaryEntry } from '../vcf/variant-header.js';

/** Entries that are remembered: a power of two. */
const SLOTS = 4096;
/** The prime of FNV-1a. */
const HASH_FACTOR = 0x01000193;

/**
 * Looks entries of a dictionary up by the bytes of their names. Lines mostly have names that were looked up before: comparing the
 * bytes of the entry in the slot of a name finds them without a text.
 */
export class NameLookup {
  readonly #dictionary: Dictionary;
  readonly #slots: (DictionaryEntry | undefined)[] = Array.from({ length: SLOTS });

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Returns the entry whose name is the bytes [start, end). Throws `FormatError` INVALID_DATA for one that must be quoted. */
  find(bytes: Uint8Array, start: number, end: number): DictionaryEntry | undefined {
    const slot = slotOf(bytes, start, end);
    const known = this.#slots[slot];
    if (known !== undefined && hasName(known, bytes, start, end)) return known;
    const entry = this.#dictionary.byName.get(decodeText(bytes, start, end));
    if (entry !== undefined) checkPlain(entry, start);
    this.#slots[slot] = entry;
    return entry;
  }
}

/** Throws `FormatError` `INVALID_DATA` for a name that headers must quote: other programs take the quotes for a part of it. */
export function checkPlain({ isPlain, name }: DictionaryEntry, offset: number): void {
  if (!isPlain) throw invalidData(`the name ${JSON.stringify(name)} cannot be written without quotes`, offset);
}

/** Returns a slot that depends on all bytes of a name: many names differ in a single one. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_FACTOR);
  return (hash >>> 16) % SLOTS;
}

function hasName({ bytes: name }: DictionaryEntry, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}
