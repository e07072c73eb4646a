import { encodeText } from '@htskit/io';
/** The keys that a rewriter keeps: tags of BAM records, INFO and FORMAT keys of VCF and BCF records. */
export interface KeySelection {
  /** The keys to keep. Default: all keys. */
  readonly tags?: readonly string[];
  /** Keys to drop, even if `tags` lists them. Default: no keys. */
  readonly notags?: readonly string[];
}

/** Returns whether a selection keeps all keys, so that there is nothing to rewrite. */
export function keepsAllKeys({ tags, notags = [] }: KeySelection): boolean {
  return tags === undefined && notags.length === 0;
}

/** The keys that a selection keeps, looked up by the UTF-8 bytes of their names. */
export class SelectedKeys {
  /** Sorted by their bytes. */
  readonly #listed: readonly Uint8Array[];
  /** Whether the listed keys are those to keep; otherwise all other keys are. */
  readonly #isListKept: boolean;

  constructor({ tags, notags = [] }: KeySelection) {
    const excluded = new Set(notags);
    const listed = tags === undefined ? [...excluded] : tags.filter((name) => !excluded.has(name));
    this.#listed = listed
      .map((name) => encodeText(name))
      .sort((first, second) => compareName(first, second, 0, second.length));
    this.#isListKept = tags !== undefined;
  }

  /** Returns whether the key `name` is kept. */
  hasName(name: string): boolean {
    const bytes = encodeText(name);
    return this.has(bytes, 0, bytes.length);
  }

  /** Returns whether the key whose name is the bytes [start, end) of `bytes` is kept. */
  has(bytes: Uint8Array, start: number, end: number): boolean {
    // Binary search: a request can list many names, and choose them so that they share a hash.
    let low = 0;
    let high = this.#listed.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareName(this.#listed[middle] ?? bytes, bytes, start, end);
      if (order === 0) return this.#isListKept;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return !this.#isListKept;
  }
}

/** Returns a negative number if `name` sorts before the bytes [start, end), a positive one if after, 0 if they are equal. */
function compareName(name: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const length = Math.min(name.length, end - start);
  for (let i = 0; i < length; i++) {
    const difference = (name[i] ?? 0) - (bytes[start + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return name.length - (end - start);
}
