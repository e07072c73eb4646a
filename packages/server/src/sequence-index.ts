import { fromTrunc512, type SequenceIdentifier } from '@htskit/digest';
import { createCatalogue, type SequenceCatalogue } from '@htskit/refget';
import type { Sequence } from '@htskit/sequences';

/**
 * Finds the sequences of files that come and go, as `createCatalogue` finds them. To add or to remove those of a file takes
 * time in proportion to them, however many others there are.
 */
export class SequenceIndex implements SequenceCatalogue {
  /** By each digest and CURIE, in the order in which they were added. */
  readonly #byKey = new Map<string, Sequence[]>();
  /** Of contents that are there several times, by `SQ.` digest, once they are asked for. */
  readonly #merged = new Map<string, SequenceCatalogue>();
  /** How many aliases each has given. */
  readonly #aliasCounts = new Map<string, number>();

  get namingAuthorities(): readonly string[] {
    return [...this.#aliasCounts.keys()].sort();
  }

  async find(identifier: SequenceIdentifier): Promise<readonly Sequence[]> {
    const digests = new Set(this.#byKey.get(toKey(identifier))?.map(({ metadata }) => metadata.sha512t24u));
    const found = await Promise.all(Array.from(digests, async (digest) => this.#findEqual(digest)));
    return found.flat();
  }

  add(sequences: readonly Sequence[]): void {
    for (const sequence of sequences) {
      for (const key of keysOf(sequence)) {
        const known = this.#byKey.get(key);
        if (known === undefined) this.#byKey.set(key, [sequence]);
        else known.push(sequence);
      }
      this.#count(sequence, 1);
    }
  }

  /** Removes sequences that were added. */
  remove(sequences: readonly Sequence[]): void {
    const removed = new Set(sequences);
    // Each key once: that of a sequence which a file has a thousand times is not searched a thousand times.
    for (const key of new Set(sequences.flatMap(keysOf))) {
      const others = (this.#byKey.get(key) ?? []).filter((sequence) => !removed.has(sequence));
      if (others.length === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, others);
    }
    for (const sequence of sequences) this.#count(sequence, -1);
  }

  /** Those of a content as one, with the aliases of all. */
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

/** What a sequence is found by. MD5, `SQ.` digests and CURIEs are told apart by length and colon. */
function keysOf({ metadata }: Sequence): string[] {
  const { md5, sha512t24u, aliases } = metadata;
  const curies = aliases.map(({ alias, namingAuthority }) => toCurie(namingAuthority, alias));
  return [...new Set([md5, sha512t24u, ...curies])];
}

function toKey(identifier: SequenceIdentifier): string {
  if (identifier.kind === 'curie') return toCurie(identifier.namespace, identifier.name);
  return identifier.kind === 'trunc512' ? fromTrunc512(identifier.digest) : identifier.digest;
}

/** Namespaces are compared in any letter case, names in their own. */
function toCurie(namespace: string, name: string): string {
  return `${namespace.toLowerCase()}:${name}`;
}
