import type { SequenceIdentifier } from '@htskit/digest';
import { readChunks } from '@htskit/io';
import type { BaseRange, ReadBasesOptions, Sequence, SequenceAlias, SequenceCatalogue } from '@htskit/sequences';
import { curieKey, lookupKey, lookupKeys, toSequence } from '@htskit/sequences/internal';

/**
 * Creates a catalogue of sequences in memory, which finds them by each of their digests and by the CURIE
 * `namingAuthority:alias` of each alias. Sequences of equal content become one sequence with the aliases of all of them. It is
 * circular if any of them is, and its bases come from the first one that can be read.
 *
 * @example
 * const catalogue = createCatalogue(await openFasta({ data: fileSource('genome.fa'), namingAuthority: 'example' }));
 * const [chrM] = await catalogue.find({ kind: 'curie', namespace: 'example', name: 'chrM' });
 */
export function createCatalogue(sequences: Iterable<Sequence>): SequenceCatalogue {
  const byKey = new Map<string, Sequence[]>();
  const namingAuthorities: string[] = [];
  for (const sequence of mergeEqual(sequences)) {
    for (const key of lookupKeys(sequence)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [sequence]);
      else known.push(sequence);
    }
    for (const { namingAuthority } of sequence.metadata.aliases) namingAuthorities.push(namingAuthority);
  }
  return {
    find: (identifier) => byKey.get(lookupKey(identifier)) ?? [],
    namingAuthorities: mergeAuthorities(namingAuthorities),
  };
}

/**
 * Joins several catalogues into one. Sequences of equal content become one, as in `createCatalogue`, and the bases come from the
 * first catalogue. The metadata of a sequence combines all catalogues, whichever identifier finds it. A catalogue that fails is
 * skipped if another one knows the sequence.
 *
 * @example
 * const catalogue = joinCatalogues([createCatalogue(sequences), await openSequenceStore(store)]);
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
      // Clients see only the digests of an ambiguous identifier.
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

/** Asks the catalogues that did not find the sequence for its digest, because they need not know all of its names. */
async function completeFound(
  found: readonly (readonly Sequence[])[],
  { catalogues, identifier, sequence }: CompleteOptions,
): Promise<Sequence[]> {
  const isDigest = identifier.kind === 'sha512t24u' || identifier.kind === 'trunc512';
  if (isDigest) return found.flat();
  const digest = sequence.metadata.sha512t24u;
  const complete = catalogues.map(async (catalogue, index) => {
    const known = found[index] ?? [];
    return known.length > 0 ? known : catalogue.find({ kind: 'sha512t24u', digest });
  });
  const answers = await Promise.allSettled(complete);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Removes repeats that differ in letter case only, and keeps the first spelling. */
function mergeAuthorities(namingAuthorities: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const authority of namingAuthorities) {
    const name = authority.toLowerCase();
    if (!byName.has(name)) byName.set(name, authority);
  }
  return [...byName.values()].sort();
}

type EqualSequences = [Sequence, ...Sequence[]];

/** Merges sequences of equal content, in the order of their first occurrence; see `createCatalogue`. */
function mergeEqual(sequences: Iterable<Sequence>): Sequence[] {
  const byDigest = new Map<string, EqualSequences>();
  for (const sequence of sequences) {
    const equal = byDigest.get(sequence.metadata.sha512t24u);
    if (equal === undefined) byDigest.set(sequence.metadata.sha512t24u, [sequence]);
    else equal.push(sequence);
  }
  return Array.from(byDigest.values(), (equal) => (equal.length === 1 ? equal[0] : mergeSequences(equal)));
}

function mergeSequences(equal: EqualSequences): Sequence {
  const { metadata } = equal[0];
  const aliases = new Map<string, SequenceAlias>();
  for (const alias of equal.flatMap((sequence) => sequence.metadata.aliases)) {
    const key = curieKey(alias.namingAuthority, alias.alias);
    if (!aliases.has(key)) aliases.set(key, alias);
  }
  const circular = equal.some((sequence) => sequence.metadata.circular);
  const located = equal.find((sequence) => sequence.locate !== undefined);
  const locate = located?.locate?.bind(located);
  const merged = toSequence(
    { ...metadata, aliases: [...aliases.values()], circular },
    {
      read: (range, options) => readFirst(equal, range, options),
      chunks: (range, signal) => streamFirst(equal, range, signal),
    },
  );
  return { ...merged, locate };
}

/** Reads from the first sequence that can be read. If none can, fails with the error of the first one. */
async function readFirst(equal: EqualSequences, range: BaseRange, options: ReadBasesOptions): Promise<Uint8Array> {
  let failure: unknown;
  for (const sequence of equal) {
    try {
      return await sequence.read(range, options);
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** Like `readFirst`. If one breaks off, the next one continues, because they have the same bases. */
async function* streamFirst(
  equal: EqualSequences,
  { start, end }: BaseRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  let failure: unknown;
  let next = start;
  for (const sequence of equal) {
    try {
      for await (const bases of readChunks(sequence.stream({ start: next, end }, { signal }))) {
        yield bases;
        next += bases.length;
      }
      return;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      failure ??= error;
    }
  }
  throw failure;
}
