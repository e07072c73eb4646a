import { Sha512t24uDigester, sha512t24u } from '@htskit/digest';
import { loopTurns } from '@htskit/io';
import type { SequenceMetadata } from '@htskit/sequences';
import {
  ARRAY_ATTRIBUTES,
  type ArrayAttribute,
  type CollectionArrays,
  type CollectionAttribute,
  canonicalAttribute,
  canonicalPair,
  canonicalStrings,
  encodeTexts,
  isWellFormed,
} from './collection-attributes.js';

/** Elements that are handled at once: a millisecond of work. */
export const STEP_ELEMENTS = 1024;

/** A sequence as a member of a collection. The sequences that `openFasta` returns are members. */
export interface CollectionMember {
  readonly name: string;
  readonly metadata: Pick<SequenceMetadata, 'length' | 'sha512t24u'>;
}

/** An attribute at level 1. */
export interface DigestedAttribute {
  readonly digest: string;
  /** Bytes of the digested canonical JSON text. */
  readonly byteLength: number;
}

/** A sequence collection at all of its levels (sequence collections 1.0.0, §2). */
export interface SequenceCollection {
  /** Level 0: the sha512t24u digest of names and sequences in order. */
  readonly digest: string;
  /** Level 1. */
  readonly attributes: Readonly<Record<CollectionAttribute, DigestedAttribute>>;
  /** Level 2. */
  readonly arrays: CollectionArrays;
}

export interface SequenceCollectionOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates the collection of sequences in their order. Keeps four references for each sequence, needs up to 400 bytes for each
 * while it computes, and yields to the event loop meanwhile.
 *
 * Throws RangeError for no members, for a name that is not well-formed Unicode and thus has no canonical JSON text (RFC 8785
 * §3.2.2.2), and for a length that is not a whole number.
 *
 * @example
 * const genome = await sequenceCollection(await openFasta({ data: fileSource('genome.fa.gz') }));
 * console.log(genome.digest);
 */
export async function sequenceCollection(
  members: readonly CollectionMember[],
  { signal }: SequenceCollectionOptions = {},
): Promise<SequenceCollection> {
  const { names, lengths, sequences } = await toArrays(members, signal);
  const sortedSequences = await sortDigests(sequences, { prefix: 'SQ.', signal });
  const arrays = { names, lengths, sequences, sortedSequences };
  const digested = {} as Record<ArrayAttribute, DigestedAttribute>;
  for (const attribute of ARRAY_ATTRIBUTES) {
    digested[attribute] = await digestTexts(canonicalAttribute(arrays, attribute), signal);
  }
  const attributes = { ...digested, sorted_name_length_pairs: await digestSortedPairs(arrays, signal) };
  const digest = collectionDigest({ names: attributes.names.digest, sequences: attributes.sequences.digest });
  return { digest, attributes, arrays };
}

async function toArrays(
  members: readonly CollectionMember[],
  signal: AbortSignal | undefined,
): Promise<Pick<CollectionArrays, 'names' | 'lengths' | 'sequences'>> {
  if (members.length === 0) throw new RangeError('a sequence collection has at least one sequence');
  const names: string[] = [];
  const lengths: number[] = [];
  const sequences: string[] = [];
  for (const { name, metadata } of members) {
    const { length, sha512t24u: sequence } = metadata;
    const ordinal = names.length + 1;
    if (!isWellFormed(name)) throw new RangeError(`the name of sequence ${ordinal} is not well-formed Unicode`);
    if (!Number.isSafeInteger(length) || length < 0) {
      throw new RangeError(`the length of sequence ${ordinal} must be a whole number, found ${length}`);
    }
    names.push(name);
    lengths.push(length);
    sequences.push(sequence);
    if (ordinal % STEP_ELEMENTS === 0) await loopTurns.next(signal);
  }
  return { names, lengths, sequences };
}

/** Computes level 0 from the inherent attributes at level 1 (sequence collections 1.0.0, §2, steps 4 and 5). */
export function collectionDigest({ names, sequences }: { readonly names: string; readonly sequences: string }): string {
  return sha512t24u(new TextEncoder().encode(JSON.stringify({ names, sequences })));
}

/** Computes level 1 of an attribute from its canonical JSON text (sequence collections 1.0.0, §2, steps 2 and 3). */
export async function digestTexts(
  texts: Iterable<string>,
  signal: AbortSignal | undefined,
): Promise<DigestedAttribute> {
  const digester = new Sha512t24uDigester();
  let byteLength = 0;
  for (const bytes of encodeTexts(texts)) {
    digester.update(bytes);
    byteLength += bytes.length;
    await loopTurns.next(signal);
  }
  return { digest: digester.digest(), byteLength };
}

/** Computes level 1 of `sorted_name_length_pairs` (sequence collections 1.0.0, §5.2), whose level 2 is not kept. */
async function digestSortedPairs(
  { names, lengths }: CollectionArrays,
  signal: AbortSignal | undefined,
): Promise<DigestedAttribute> {
  const encoder = new TextEncoder();
  const digests: string[] = [];
  for (let index = 0; index < names.length; index++) {
    digests.push(sha512t24u(encoder.encode(canonicalPair(names[index] ?? '', lengths[index] ?? 0))));
    if (index % STEP_ELEMENTS === 0) await loopTurns.next(signal);
  }
  return digestTexts(canonicalStrings(await sortDigests(digests, { prefix: '', signal })), signal);
}

interface SortOptions {
  /** The common prefix of all digests. */
  readonly prefix: string;
  readonly signal: AbortSignal | undefined;
}

/** Sorts by UTF-16 code units. Digests are evenly distributed, so buckets of a common beginning are small and quick to sort. */
async function sortDigests(digests: readonly string[], { prefix, signal }: SortOptions): Promise<string[]> {
  const buckets = new Map<string, string[]>();
  for (const [index, digest] of digests.entries()) {
    const key = digest.slice(0, prefix.length + 2);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [digest]);
    else bucket.push(digest);
    if (index % STEP_ELEMENTS === 0) await loopTurns.next(signal);
  }
  const sorted: string[] = [];
  for (const key of [...buckets.keys()].sort()) {
    for (const digest of buckets.get(key)?.sort() ?? []) sorted.push(digest);
    await loopTurns.next(signal);
  }
  return sorted;
}
