/**
 * The characters that the digests of a sequence cover. `letters`: A to Z in either case, as refget defines. `sam`: all
 * printable ASCII, such as the `*` of a protein, which is what `samtools dict` hashes for the M5 of SAM headers.
 */
export type SequenceCharacters = 'letters' | 'sam';

/** The characters of a sequence, other than white space, that its digests do not cover. */
export interface OmittedCharacters {
  readonly count: number;
  /** Characters of the sequence before the first one, without white space: 0 if the sequence begins with it. */
  readonly firstOffset: number;
  /** How often each occurs, in the order of their codes. A byte that is not printable ASCII is written as `\x80`. */
  readonly characters: Readonly<Record<string, number>>;
}

/** Counts the characters that the normalisation of one sequence drops, in pieces of any length. */
export class OmittedTally {
  readonly #characters: SequenceCharacters;
  readonly #counts = new Float64Array(256);
  #count = 0;
  #firstOffset = 0;

  constructor(characters: SequenceCharacters) {
    this.#characters = characters;
  }

  /** Adds bytes of the sequence that follow `baseCount` bases. Called only for bytes that hold such characters. */
  add(bytes: Uint8Array, baseCount: number): void {
    let bases = baseCount;
    for (const byte of bytes) {
      if (isKept(byte, this.#characters)) bases++;
      else if (!isWhiteSpace(byte)) {
        // Bases precede the first omitted character, and nothing else.
        if (this.#count === 0) this.#firstOffset = bases;
        this.#count++;
        this.#counts[byte] = (this.#counts[byte] ?? 0) + 1;
      }
    }
  }

  /** Returns undefined if nothing was omitted. */
  get result(): OmittedCharacters | undefined {
    if (this.#count === 0) return undefined;
    const counted = Array.from(this.#counts, (count, byte) => [toText(byte), count] as const);
    const characters = Object.fromEntries(counted.filter(([, count]) => count > 0));
    return { count: this.#count, firstOffset: this.#firstOffset, characters };
  }
}

/** Returns whether a byte is part of the normalised sequence. */
export function isKept(byte: number, characters: SequenceCharacters): boolean {
  const upper = byte & ~0x20;
  return characters === 'sam' ? byte > 0x20 && byte < 0x7f : upper >= 0x41 && upper <= 0x5a;
}

/** Returns whether a byte is ASCII white space. */
export function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function toText(byte: number): string {
  return isKept(byte, 'sam') ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}
