import type { SequenceIdentifier } from '@htskit/digest';
import { createCatalogue, type SequenceCatalogue } from '@htskit/refget';
import type { Sequence } from '@htskit/sequences';
import { lookupKey, lookupKeys } from '@htskit/sequences/internal';

/**
 * Finds sequences like `createCatalogue`, while files come and go. Adding or removing the sequences of a file takes time
 * proportional to their number, independent of all others.
 */
export class SequenceIndex implements SequenceCatalogue {
  /** Sequences by each of their digests and CURIEs, in the order in which they were added. */
  readonly #byKey = new Map<string, Sequence[]>();
  /** Catalogues of sequences with equal content, by `SQ.` digest, created when they are first requested. */
  readonly #merged = new Map<string, SequenceCatalogue>();
  /** The number of aliases of each naming authority. */
  readonly #aliasCounts = new Map<string, number>();

  get namingAuthorities(): readonly string[] {
    return [...this.#aliasCounts.keys()].sort();
  }

  async find(identifier: SequenceIdentifier): Promise<readonly Sequence[]> {
    const known = this.#byKey.get(lookupKey(identifier)) ?? [];
    const [first] = known;
    if (first === undefined) return [];
    if (known.length === 1) return this.#findEqual(first.metadata.sha512t24u);
    const digests = new Set(known.map(({ metadata }) => metadata.sha512t24u));
    const found = await Promise.all(Array.from(digests, async (digest) => this.#findEqual(digest)));
    return found.flat();
  }

  add(sequences: readonly Sequence[]): void {
    for (const sequence of sequences) {
      for (const key of lookupKeys(sequence)) {
        const known = this.#byKey.get(key);
        if (known === undefined) this.#byKey.set(key, [sequence]);
        else known.push(sequence);
      }
      this.#count(sequence, 1);
    }
  }

  /** Removes sequences that were added before. */
  remove(sequences: readonly Sequence[]): void {
    const removed = new Set(sequences);
    // Each key once: a file may hold the same sequence a thousand times.
    for (const key of new Set(sequences.flatMap((sequence) => [...lookupKeys(sequence)]))) {
      const others = (this.#byKey.get(key) ?? []).filter((sequence) => !removed.has(sequence));
      if (others.length === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, others);
    }
    for (const sequence of sequences) this.#count(sequence, -1);
  }

  /** Merges the sequences with equal content into one that has all their aliases. */
  #findEqual(digest: string): ReturnType<SequenceCatalogue['find']> {
    const equal = this.#byKey.get(digest) ?? [];
    if (equal.length < 2) return equal;
    const merged = this.#merged.get(digest) ?? createCatalogue(equal);
    this.#merged.set(digest, merged);
    return merged.find({ kind: 'sha512t24u', digest });
  }

  #count({ metadata }: Sequence, change: 1 | -1): void {
    this.#merged.delete(metadata.sha512t24u);
    for (const { namingAuthority } of metadata.aliases) {
      const count = (this.#aliasCounts.get(namingAuthority) ?? 0) + change;
      if (count === 0) this.#aliasCounts.delete(namingAuthority);
      else this.#aliasCounts.set(namingAuthority, count);
    }
  }
}
