import { fromTrunc512, type SequenceIdentifier } from '@htskit/digest';
import type { Sequence, SequenceCatalogue } from '@htskit/sequences';
import { mergeEqual, toCurieKey } from './equal-sequences.js';

/**
 * A catalogue of sequences in memory, found by each of their digests and by the CURIE `namingAuthority:alias` of each
 * alias. Sequences of equal content are one sequence with the aliases of all; it is circular if any of them is, and its
 * bases come from the first one that can be read.
 */
export function createCatalogue(sequences: Iterable<Sequence>): SequenceCatalogue {
  const byKey = new Map<string, Sequence[]>();
  const namingAuthorities: string[] = [];
  for (const sequence of mergeEqual(sequences)) {
    for (const key of keysOf(sequence)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [sequence]);
      else known.push(sequence);
    }
    for (const { namingAuthority } of sequence.metadata.aliases) namingAuthorities.push(namingAuthority);
  }
  return {
    find: (identifier) => byKey.get(toKey(identifier)) ?? [],
    namingAuthorities: mergeAuthorities(namingAuthorities),
  };
}

/**
 * A catalogue of what several ones know. Sequences of equal content are one, as in `createCatalogue`; the bases come from
 * the catalogue that is named first. By whichever identifier a sequence is found, what all catalogues know of it is told.
 * One that fails is passed over where another one knows the sequence.
 */
export function joinCatalogues(catalogues: readonly SequenceCatalogue[]): SequenceCatalogue {
  return {
    async find(identifier) {
      const answers = await Promise.allSettled(catalogues.map(async (catalogue) => catalogue.find(identifier)));
      const found = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const merged = mergeEqual(found.flat());
      const [sequence] = merged;
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (sequence === undefined && failed !== undefined) throw failed.reason;
      // Of several ones, clients are told the digests and no more.
      return sequence === undefined || merged.length > 1
        ? merged
        : mergeEqual(await completeFound(found, { catalogues, identifier, sequence }));
    },
    get namingAuthorities() {
      return mergeAuthorities(catalogues.flatMap((catalogue) => catalogue.namingAuthorities ?? []));
    },
  };
}

interface CompleteOptions {
  readonly catalogues: readonly SequenceCatalogue[];
  readonly identifier: SequenceIdentifier;
  readonly sequence: Sequence;
}

/** What was found, and what the catalogues that did not find it know by its digest: one need not know all its names. */
async function completeFound(
  found: readonly (readonly Sequence[])[],
  { catalogues, identifier, sequence }: CompleteOptions,
): Promise<Sequence[]> {
  const isAsked = identifier.kind === 'sha512t24u' || identifier.kind === 'trunc512';
  if (isAsked) return found.flat();
  const digest = sequence.metadata.sha512t24u;
  const complete = catalogues.map(async (catalogue, rank) => {
    const known = found[rank] ?? [];
    return known.length > 0 ? known : catalogue.find({ kind: 'sha512t24u', digest });
  });
  const answers = await Promise.allSettled(complete);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Each once, in any letter case, as it was written first. */
function mergeAuthorities(namingAuthorities: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const authority of namingAuthorities) {
    const name = authority.toLowerCase();
    if (!byName.has(name)) byName.set(name, authority);
  }
  return [...byName.values()].sort();
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
