import { type ByteRange, StorageError } from '@htskit/io';
import { type BlockClaim, entityTagOf, sourceTag } from '../block-url/block-claim.js';
import type { FileLoader } from '../file/file-loader.js';
import { type StoredFile, statVersion } from '../file/stored-file.js';
import type { BlockEvent } from '../hooks.js';
import type { Rewriting, Segment } from '../plan/plan.js';
import { type StreamPlanOptions, segmentsByteLength, sliceSegments, streamSegments } from './segment-stream.js';
import { storedLength } from './ticket.js';

/** A block that is ready to be streamed. */
export interface BlockStream {
  /** Length of the block in bytes, if it is known before the block is read. */
  readonly byteLength: number | undefined;
  /** Strong: equal tags mean equal bytes, even of different tickets. Undefined if the storage gives no version. */
  readonly entityTag: string | undefined;
  /** Streams the block, or a part of a block of known length. */
  readonly bytes: (range?: ByteRange) => AsyncGenerator<Uint8Array, void>;
  /** Throws `StorageError` CHANGED if the file has changed since the ticket was made. */
  readonly checkVersion: () => Promise<void>;
}

export interface OpenBlockOptions extends Pick<StreamPlanOptions, 'compressionLevel' | 'workers' | 'client'> {
  readonly loader: FileLoader;
  readonly signal: AbortSignal;
  /** Called when the block was sent or broken off. */
  readonly onEvent: (event: BlockEvent) => void;
}

/**
 * Re-creates the segments of a claim from the file that it names. Throws `StorageError` CHANGED if the id stands for another file
 * or version now, and what the storage throws.
 */
export async function openBlock(
  claim: BlockClaim,
  file: StoredFile,
  { loader, signal, compressionLevel, workers, client, onEvent }: OpenBlockOptions,
): Promise<BlockStream> {
  const { version, segments, format, source, selection } = claim;
  const { data } = file;
  if (source !== undefined && source !== sourceTag(file.identity)) {
    throw new StorageError('CHANGED', 'the id stands for another file', { key: data.key });
  }
  let rewriting: Rewriting | undefined;
  if (selection !== undefined) {
    const { header } = await loader.header(file, await statVersion(data, { version, signal }));
    rewriting = { selection, header };
  }
  const options = { signal, format, rewriting, compressionLevel, version, workers, client };
  const stream = (parts: readonly Segment[]): AsyncGenerator<Uint8Array, void> =>
    observe(streamSegments(parts, data, options), { claim, plannedBytes: storedLength(parts), onEvent });
  return {
    byteLength: segmentsByteLength(segments, options),
    entityTag: entityTagOf(claim, compressionLevel),
    bytes: (range) => stream(range === undefined ? segments : sliceSegments(segments, range, options)),
    checkVersion: async () => {
      await statVersion(data, { version, signal });
    },
  };
}

interface Observation {
  readonly claim: BlockClaim;
  readonly plannedBytes: number;
  readonly onEvent: (event: BlockEvent) => void;
}

/** Yields the same chunks and reports how much of them was sent. */
async function* observe(
  chunks: AsyncGenerator<Uint8Array, void>,
  { claim: { datatype, id, format }, plannedBytes, onEvent }: Observation,
): AsyncGenerator<Uint8Array, void> {
  const started = performance.now();
  let bytes = 0;
  let isComplete = false;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
    isComplete = true;
  } finally {
    const milliseconds = performance.now() - started;
    onEvent({ type: 'block', datatype, id, format, plannedBytes, bytes, isComplete, milliseconds });
  }
}
