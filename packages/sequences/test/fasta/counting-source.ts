import type { ByteSource } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';

/** A source in memory that counts its reads and whose bytes can be replaced. */
export interface CountingSource extends ByteSource {
  reads: number;
  streams: number;
  /** Bytes returned by reads and streams. */
  bytesRead: number;
  /** Replaces the bytes. Later reads of the previous version fail. */
  replace(bytes: Uint8Array): void;
}

/** Creates a source that has no versions unless one is given. */
export function countingSource(bytes: Uint8Array, version?: string): CountingSource {
  const open = (content: Uint8Array, suffix: string) =>
    memorySource(content, { key: 'fasta', ...(version !== undefined && { version: version + suffix }) });
  let current = open(bytes, '');
  const source: CountingSource = {
    key: 'fasta',
    reads: 0,
    streams: 0,
    bytesRead: 0,
    replace(replacement) {
      current = open(replacement, '+');
    },
    stat: (options) => current.stat(options),
    async read(range, options) {
      source.reads += 1;
      const result = await current.read(range, options);
      source.bytesRead += result.length;
      return result;
    },
    stream(range, options) {
      source.streams += 1;
      const count = new TransformStream<Uint8Array, Uint8Array>(
        {
          transform(chunk, controller) {
            source.bytesRead += chunk.length;
            controller.enqueue(chunk);
          },
        },
        { highWaterMark: 1 },
        { highWaterMark: 0 },
      );
      return current.stream(range, options).pipeThrough(count);
    },
  };
  return source;
}
