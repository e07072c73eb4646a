import { readChunks, toByteStream } from '@htskit/io';
import type { BaseRange, BaseReadOptions, Sequence, SequenceAlias } from '@htskit/sequences';
import { checkBaseRange } from '@htskit/sequences/internal';

type EqualSequences = [Sequence, ...Sequence[]];

/** Merges sequences of equal content, in the order of their first occurrence; see `createCatalogue`. */
export function mergeEqual(sequences: Iterable<Sequence>): Sequence[] {
  const byDigest = new Map<string, EqualSequences>();
  for (const sequence of sequences) {
    const equal = byDigest.get(sequence.metadata.sha512t24u);
    if (equal === undefined) byDigest.set(sequence.metadata.sha512t24u, [sequence]);
    else equal.push(sequence);
  }
  return Array.from(byDigest.values(), (equal) => (equal.length === 1 ? equal[0] : mergeSequences(equal)));
}

/** Returns the lookup key of an alias. Namespaces ignore letter case, names do not. */
export function toCurieKey(namespace: string, name: string): string {
  return `${namespace.toLowerCase()}:${name}`;
}

function mergeSequences(equal: EqualSequences): Sequence {
  const { metadata } = equal[0];
  const aliases = new Map<string, SequenceAlias>();
  for (const alias of equal.flatMap((sequence) => sequence.metadata.aliases)) {
    const key = toCurieKey(alias.namingAuthority, alias.alias);
    if (!aliases.has(key)) aliases.set(key, alias);
  }
  const circular = equal.some((sequence) => sequence.metadata.circular);
  const located = equal.find((sequence) => sequence.locate !== undefined);
  const locate = located?.locate?.bind(located);
  return {
    metadata: { ...metadata, aliases: [...aliases.values()], circular },
    async read(range, options) {
      checkBaseRange(range, metadata.length);
      return readFirst(equal, range, options);
    },
    stream(range, options) {
      checkBaseRange(range, metadata.length);
      return toByteStream(streamFirst(equal, range, options));
    },
    ...(locate !== undefined && { locate }),
  };
}

/** Reads from the first sequence that can be read. If none can, fails with the error of the first one. */
async function readFirst(
  equal: EqualSequences,
  range: BaseRange,
  options: BaseReadOptions | undefined,
): Promise<Uint8Array> {
  let failure: unknown;
  for (const sequence of equal) {
    try {
      return await sequence.read(range, options);
    } catch (error) {
      if (options?.signal?.aborted === true) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** Like `readFirst`. If one breaks off, the next one continues, because they have the same bases. */
async function* streamFirst(
  equal: EqualSequences,
  { start, end }: BaseRange,
  options: BaseReadOptions | undefined,
): AsyncGenerator<Uint8Array, void> {
  let failure: unknown;
  let next = start;
  for (const sequence of equal) {
    try {
      for await (const bases of readChunks(sequence.stream({ start: next, end }, options))) {
        yield bases;
        next += bases.length;
      }
      return;
    } catch (error) {
      if (options?.signal?.aborted === true) throw error;
      failure ??= error;
    }
  }
  throw failure;
}
