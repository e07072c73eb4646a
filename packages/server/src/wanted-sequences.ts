import { parseSequenceIdentifier } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';
import type { FastaDigests } from '@htskit/sequences';

/** Sequences that somebody speaks of, each by any of its names and digests, and which of them have not been found. */
export class WantedSequences {
  /** The first name of each, by all of its names. */
  readonly #missing = new Map<string, string>();
  /** All names of those that are called so. */
  readonly #byKey = new Map<string, string[]>();

  /** Adds a sequence, unless it was added with the same names. */
  add(names: readonly string[]): void {
    const all = names.join('\t');
    if (this.#missing.has(all)) return;
    this.#missing.set(all, names[0] ?? '');
    for (const name of names) {
      const key = toKey(name);
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, [all]);
      else known.push(all);
    }
  }

  find({ name, md5, sha512t24u, trunc512 }: FastaDigests): void {
    for (const key of [name, md5, sha512t24u, trunc512]) {
      for (const all of this.#byKey.get(key) ?? []) this.#missing.delete(all);
      this.#byKey.delete(key);
    }
  }

  /** The first name of each that was not found. */
  missing(): string[] {
    return [...new Set(this.#missing.values())];
  }
}

/** A digest in its canonical form, and any other text as it is. */
function toKey(text: string): string {
  const identifier = parseSequenceIdentifier(text, { authorities: AUTHORITIES });
  return identifier === undefined || identifier.kind === 'curie' ? text : identifier.digest;
}
