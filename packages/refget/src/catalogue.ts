import { fromTrunc512, type SequenceIdentifier } from '@htskit/digest';
import type { Sequence, SequenceAlias } from './sequence.js';

/** Finds sequences by what clients call them. */
export interface SequenceCatalogue {
  /** None: unknown. Several only for an identifier that is not unique, such as a CURIE of a name used twice. */
  find(identifier: SequenceIdentifier): readonly Sequence[] | Promise<readonly Sequence[]>;
  /** The namespaces of the CURIEs that `find` may know, for service-info. */
  readonly namingAuthorities?: readonly string[];
}

/**
 * A catalogue of sequences in memory, found by each of their digests and by the CURIE `namingAuthority:alias` of each
 * alias. Sequences of equal content are one sequence with the aliases of all; it is circular if any of them is.
 */
export function createCatalogue(sequences: Iterable<Sequence>): SequenceCatalogue {
  const byKey = new Map<string, readonly Sequence[]>();
  const namingAuthorities = new Set<string>();
  for (const sequence of mergeEqual(sequences)) {
    for (const key of keysOf(sequence)) byKey.set(key, [...(byKey.get(key) ?? []), sequence]);
    for (const { namingAuthority } of sequence.metadata.aliases) namingAuthorities.add(namingAuthority);
  }
  return {
    find: (identifier) => byKey.get(toKey(identifier)) ?? [],
    namingAuthorities: [...namingAuthorities].sort(),
  };
}

/**
 * A catalogue of what several ones know. Sequences of equal content are one; of each, the bases come from the catalogue
 * that is named first.
 */
export function joinCatalogues(catalogues: readonly SequenceCatalogue[]): SequenceCatalogue {
  return {
    async find(identifier) {
      const found = await Promise.all(catalogues.map(async (catalogue) => catalogue.find(identifier)));
      return [...mergeEqual(found.flat())];
    },
    get namingAuthorities() {
      return [...new Set(catalogues.flatMap((catalogue) => catalogue.namingAuthorities ?? []))].sort();
    },
  };
}

function mergeEqual(sequences: Iterable<Sequence>): Iterable<Sequence> {
  const byDigest = new Map<string, Sequence>();
  for (const sequence of sequences) {
    const digest = sequence.metadata.sha512t24u;
    const known = byDigest.get(digest);
    byDigest.set(digest, known === undefined ? sequence : mergeSequences(known, sequence));
  }
  return byDigest.values();
}

function mergeSequences(known: Sequence, other: Sequence): Sequence {
  const aliases = new Map<string, SequenceAlias>();
  for (const alias of [...known.metadata.aliases, ...other.metadata.aliases]) {
    aliases.set(JSON.stringify([alias.namingAuthority, alias.alias]), alias);
  }
  const circular = known.metadata.circular || other.metadata.circular;
  const locate = known.locate?.bind(known) ?? other.locate?.bind(other);
  return {
    metadata: { ...known.metadata, aliases: [...aliases.values()], circular },
    read: (range, options) => known.read(range, options),
    stream: (range, options) => known.stream(range, options),
    ...(locate !== undefined && { locate }),
  };
}

/** The kinds of keys cannot be confused: only those of CURIEs hold a colon, and MD5 is shorter than `SQ.`. */
function keysOf({ metadata }: Sequence): Set<string> {
  const curies = metadata.aliases.map(({ alias, namingAuthority }) => toCurieKey(namingAuthority, alias));
  return new Set([metadata.md5, metadata.sha512t24u, ...curies]);
}

function toKey(identifier: SequenceIdentifier): string {
  switch (identifier.kind) {
    case 'md5':
    case 'sha512t24u':
      return identifier.digest;
    case 'trunc512':
      return fromTrunc512(identifier.digest);
    case 'curie':
      return toCurieKey(identifier.namespace, identifier.name);
  }
}

/** Namespaces are compared in any letter case, names in their own. */
function toCurieKey(namespace: string, name: string): string {
  return `${namespace.toLowerCase()}:${name}`;
}
