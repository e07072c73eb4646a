import { type ByteRange, type ByteSource, type LruCache, StorageError } from '@htskit/io';
import { sliceChunks } from '@htskit/io/internal';
import type { SentBlock } from '../access/access-recorder.js';
import { type BlockClaim, entityTagOf, sourceTag } from '../block-url/block-claim.js';
import { type StoredFile, statVersion } from '../file/stored-file.js';
import type { BlockEvent } from '../hooks.js';
import type { FileLoader } from '../load/file-loader.js';
import { createRewriting } from '../load/rewrite-file.js';
import type { Conversion, Rewriting, SentSegment } from '../plan/plan.js';
import { hasKnownLength, readEdges } from './cut-edges.js';
import { storedLength } from './group-segments.js';
import {
  type SegmentStreamOptions,
  type StreamPlanOptions,
  segmentsByteLength,
  sliceSegments,
  streamSegments,
} from './segment-stream.js';
import type { TransformedBlockCache } from './transformed-block-cache.js';

/** A block that is ready to be streamed. */
export interface BlockStream {
  /** Length of the block in bytes, if it is known before all of the block is read. */
  readonly byteLength: number | undefined;
  /** Strong: equal tags mean equal bytes, even of different tickets. Undefined if the storage gives no version. */
  readonly entityTag: string | undefined;
  /** Streams the block, or a part of a block of known length. */
  readonly bytes: (range?: ByteRange) => AsyncGenerator<Uint8Array, void>;
  /** Throws `StorageError` CHANGED if the file has changed since the ticket was made. */
  readonly checkVersion: () => Promise<void>;
}

export interface OpenBlockOptions
  extends Pick<StreamPlanOptions, 'compressionLevel' | 'workers' | 'client' | 'reference'> {
  readonly loader: FileLoader;
  /** Whether ranges may begin within a block or container. Default false. */
  readonly isSlice?: boolean;
  /** Lengths of blocks that were sent before, by entity tag. */
  readonly lengths: LruCache<number>;
  readonly transformedBlocks: TransformedBlockCache;
  readonly signal: AbortSignal;
  /** Called when the block was sent or broken off. */
  readonly onEvent: (event: BlockEvent, outcome: SentBlock['outcome']) => void;
}

/**
 * Re-creates the segments of a claim from the file that it names. Throws `StorageError` CHANGED if the id names another file
 * or version now, and what the storage throws.
 */
export async function openBlock(
  claim: BlockClaim,
  file: StoredFile,
  {
    loader,
    lengths,
    transformedBlocks,
    signal,
    compressionLevel,
    workers,
    client,
    reference,
    isSlice,
    onEvent,
  }: OpenBlockOptions,
): Promise<BlockStream> {
  const { version, segments, format, from, source, selection } = claim;
  const { data } = file;
  if (source !== undefined && source !== sourceTag(file.identity)) {
    throw new StorageError('CHANGED', 'the id stands for another file', { key: data.key });
  }
  let rewriting: Rewriting | undefined;
  let conversion: Conversion | undefined;
  let endMarker: Uint8Array | undefined;
  if ((selection ?? from) !== undefined || (format === 'CRAM' && segments.at(-1)?.kind === 'end')) {
    const stat = await statVersion(data, { version, signal });
    const parsed = await loader.header(file, stat);
    if (parsed.format === 'CRAM' && from === undefined) endMarker = parsed.eofContainer;
    rewriting = selection && (await createRewriting(parsed, selection, format));
    conversion = from && (await loader.conversion(file, stat, { file: parsed, format, samples: selection?.samples }));
  }
  const namePrefix = `${claim.id.slice(claim.id.lastIndexOf('/') + 1)}.cram`;
  const sent = { signal, format, rewriting, conversion, compressionLevel, version, endMarker, isSlice };
  const options = { ...sent, workers, client, reference, namePrefix };
  const entityTag = entityTagOf(claim, { compressionLevel, program: loader.program });
  const block = { claim, entityTag, data, lengths, options, onEvent };
  if (hasKnownLength(segments, options)) {
    return new SegmentBlock({ ...block, parts: await readEdges(segments, data, options) });
  }
  // References of CRAM may take long to arrive: a client that leaves aborts that.
  if (entityTag === undefined || from === 'CRAM') return new SegmentBlock({ ...block, parts: segments });
  await statVersion(data, { version, signal });
  const bytes = await transformedBlocks.load(entityTag, segments, { source: data, options });
  return new SegmentBlock({
    ...block,
    parts: bytes === undefined ? segments : [{ kind: 'inline', class: 'body', bytes }],
  });
}

interface SegmentBlockParts extends Pick<OpenBlockOptions, 'lengths' | 'onEvent'> {
  readonly claim: BlockClaim;
  readonly entityTag: string | undefined;
  /** The segments of the claim, or others that yield the same bytes. */
  readonly parts: readonly SentSegment[];
  readonly data: ByteSource;
  readonly options: SegmentStreamOptions & Pick<OpenBlockOptions, 'signal'>;
}

class SegmentBlock implements BlockStream {
  readonly byteLength: number | undefined;
  readonly entityTag: string | undefined;
  readonly #block: SegmentBlockParts;
  /** Undefined if the length is known only because the block was sent before. */
  readonly #plannedLength: number | undefined;

  constructor(block: SegmentBlockParts) {
    const { entityTag, parts, options, lengths } = block;
    this.#block = block;
    this.entityTag = entityTag;
    this.#plannedLength = segmentsByteLength(parts, options);
    const remembered = entityTag === undefined ? undefined : lengths.get(entityTag);
    this.byteLength = this.#plannedLength ?? remembered;
  }

  readonly bytes = (range?: ByteRange): AsyncGenerator<Uint8Array, void> => {
    const { claim, options, onEvent } = this.#block;
    const { plannedBytes, chunks } = this.#stream(range);
    return observe(chunks, {
      claim,
      plannedBytes,
      signal: options.signal,
      onEvent: (event, outcome) => {
        if (range === undefined && event.isComplete) this.#remember(event.bytes);
        onEvent(event, outcome);
      },
    });
  };

  readonly checkVersion = async (): Promise<void> => {
    const { data, claim, options } = this.#block;
    await statVersion(data, { version: claim.version, signal: options.signal });
  };

  /** Returns the chunks of a range, and how many stored bytes they are made from. */
  #stream(range: ByteRange | undefined): { plannedBytes: number; chunks: AsyncGenerator<Uint8Array, void> } {
    const { claim, parts, data, options } = this.#block;
    if (range !== undefined && this.#plannedLength !== undefined) {
      const slices = sliceSegments(parts, range, options);
      const chunks = streamSegments(slices, data, { ...options, isSlice: true });
      return { plannedBytes: storedLength(slices), chunks };
    }
    const chunks = streamSegments(parts, data, options);
    return {
      plannedBytes: storedLength(claim.segments),
      chunks: range === undefined ? chunks : sliceChunks(chunks, range),
    };
  }

  /** Caches the length of a block, which is otherwise unknown before its records are filtered or rewritten. */
  #remember(byteLength: number): void {
    if (this.#plannedLength === undefined && this.entityTag !== undefined) {
      this.#block.lengths.set(this.entityTag, byteLength);
    }
  }
}

interface Observation extends Pick<OpenBlockOptions, 'signal' | 'onEvent'> {
  readonly claim: BlockClaim;
  readonly plannedBytes: number;
}

/** Yields the same chunks and reports how much of them was sent. */
async function* observe(
  chunks: AsyncGenerator<Uint8Array, void>,
  { claim: { datatype, id, format, from }, plannedBytes, signal, onEvent }: Observation,
): AsyncGenerator<Uint8Array, void> {
  const started = performance.now();
  let bytes = 0;
  // A generator that is returned before its end was cancelled by the client.
  let outcome: SentBlock['outcome'] = 'aborted';
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
    outcome = 'completed';
  } catch (error) {
    if (!signal.aborted) outcome = 'failed';
    throw error;
  } finally {
    const milliseconds = performance.now() - started;
    const isComplete = outcome === 'completed';
    const sent = { plannedBytes, bytes, isComplete, milliseconds };
    onEvent({ type: 'block', datatype, id, format, convertedFrom: from, ...sent }, outcome);
  }
}
