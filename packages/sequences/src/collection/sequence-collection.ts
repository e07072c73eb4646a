import { Sha512t24uDigester, sha512t24u } from '@htskit/digest';
import { hashBatch, MD5_LENGTH } from '@htskit/digest/internal';
import { TimeSlice, writeBase64Url } from '@htskit/io/internal';
import type { SequenceMetadata } from '../sequence.js';
import { ByteColumnBuilder } from '../table/columns.js';
import {
  ARRAY_ATTRIBUTES,
  type ArrayAttribute,
  type CollectionArrays,
  type CollectionAttribute,
  canonicalAttribute,
  canonicalPair,
  canonicalStrings,
  encodeTexts,
  type IndexedList,
  isWellFormed,
} from './collection-attributes.js';
import { sortDigests } from './sort-digests.js';

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
  readonly signal?: AbortSignal;
}

/**
 * Creates the collection of sequences in their order. Keeps three references for each sequence, needs up to 200 bytes for each
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
  const slice = new TimeSlice(signal);
  const lists = await toLists(members, slice);
  return toCollection(lists, await digestCollection(lists, slice));
}

/** The arrays of a collection that its digests follow from. */
export type CollectionLists = Pick<CollectionArrays, 'names' | 'lengths' | 'sequences'>;

/** The digests of a collection and the order of its sorted sequences. */
export interface CollectionDigests extends Pick<SequenceCollection, 'digest' | 'attributes'> {
  /** Indexes of the sequences, in the order of their digests. */
  readonly sequenceOrder: Uint32Array;
}

/** Combines arrays with their digests. */
export function toCollection(
  lists: CollectionLists,
  { digest, attributes, sequenceOrder }: CollectionDigests,
): SequenceCollection {
  const sortedSequences = orderedList(lists.sequences, sequenceOrder);
  return { digest, attributes, arrays: { ...lists, sortedSequences } };
}

function orderedList(list: IndexedList<string>, order: Uint32Array): IndexedList<string> {
  return { length: order.length, at: (index) => list.at(order[index] ?? list.length) };
}

/** Digests a collection of at least one sequence. Takes up to 100 bytes of memory for each. */
export async function digestCollection(lists: CollectionLists, slice: TimeSlice): Promise<CollectionDigests> {
  const sorted_name_length_pairs = await digestSortedPairs(lists, slice);
  const sequenceOrder = await sortDigests(lists.sequences, { prefixLength: 'SQ.'.length, slice });
  const arrays = { ...lists, sortedSequences: orderedList(lists.sequences, sequenceOrder) };
  const digested = {} as Record<ArrayAttribute, DigestedAttribute>;
  for (const attribute of ARRAY_ATTRIBUTES) {
    digested[attribute] = await digestTexts(canonicalAttribute(arrays, attribute), slice);
  }
  const attributes = { ...digested, sorted_name_length_pairs };
  const digest = collectionDigest({ names: attributes.names.digest, sequences: attributes.sequences.digest });
  return { digest, attributes, sequenceOrder };
}

async function toLists(
  members: readonly CollectionMember[],
  slice: TimeSlice,
): Promise<{ readonly names: string[]; readonly lengths: number[]; readonly sequences: string[] }> {
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
    if (slice.isOverAt(ordinal)) await slice.yieldToEventLoop();
  }
  return { names, lengths, sequences };
}

/** Computes level 0 from the inherent attributes at level 1 (sequence collections 1.0.0, §2, steps 4 and 5). */
export function collectionDigest({ names, sequences }: { readonly names: string; readonly sequences: string }): string {
  return sha512t24u(new TextEncoder().encode(JSON.stringify({ names, sequences })));
}

/** Computes level 1 of an attribute from its canonical JSON text (sequence collections 1.0.0, §2, steps 2 and 3). */
export async function digestTexts(texts: Iterable<string>, slice: TimeSlice): Promise<DigestedAttribute> {
  const digester = new Sha512t24uDigester();
  let byteLength = 0;
  for (const bytes of encodeTexts(texts)) {
    digester.update(bytes);
    byteLength += bytes.length;
    if (slice.isOver) await slice.yieldToEventLoop();
  }
  return { digest: digester.digest(), byteLength };
}

/** Pairs that are digested together: one at a time, creating the hash takes four times as long as the digest. */
const BATCHED_PAIRS = 1024;

/** Computes level 1 of `sorted_name_length_pairs` (sequence collections 1.0.0, §5.2), whose level 2 is not kept. */
async function digestSortedPairs({ names, lengths }: CollectionLists, slice: TimeSlice): Promise<DigestedAttribute> {
  const bytes = new Uint8Array(DIGEST_BYTES * names.length);
  const md5 = new Uint8Array(MD5_LENGTH * BATCHED_PAIRS);
  for (let first = 0; first < names.length; first += BATCHED_PAIRS) {
    const count = Math.min(BATCHED_PAIRS, names.length - first);
    const starts = new Int32Array(count);
    const ends = new Int32Array(count);
    const pairs = new ByteColumnBuilder();
    for (let index = 0; index < count; index++) {
      starts[index] = pairs.length;
      pairs.pushText(canonicalPair(names.at(first + index) ?? '', lengths.at(first + index) ?? 0));
      ends[index] = pairs.length;
    }
    const trunc512 = bytes.subarray(DIGEST_BYTES * first, DIGEST_BYTES * (first + count));
    hashBatch({ bases: pairs.finish(), starts, ends, md5, trunc512 });
    if (slice.isOver) await slice.yieldToEventLoop();
  }
  const digests = digestList(bytes, '');
  return digestTexts(
    canonicalStrings(orderedList(digests, await sortDigests(digests, { prefixLength: 0, slice }))),
    slice,
  );
}

/** Bytes of a sha512t24u digest. */
export const DIGEST_BYTES = 24;

/** Returns sha512t24u digests that lie one after another in `bytes`, each as text with a prefix. */
export function digestList(bytes: Uint8Array, prefix: string): IndexedList<string> {
  const length = bytes.length / DIGEST_BYTES;
  // Reused: allocating an array for each digest takes three times as long.
  const text = new TextEncoder().encode(prefix + '.'.repeat((4 * DIGEST_BYTES) / 3));
  return {
    length,
    at(row) {
      if (row >= length) return undefined;
      writeBase64Url(bytes, DIGEST_BYTES * row, text.subarray(prefix.length));
      return ASCII.decode(text);
    },
  };
}

const ASCII = new TextDecoder();
