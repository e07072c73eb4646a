import type { ByteSource, ReadOptions } from '@htskit/io';
import { memorySource } from '../../src/memory.js';

export const bytes: Uint8Array = Uint8Array.from({ length: 10_000 }, (_, index) => (index * 31) >> 3);
export const version = 'v1';

interface SeenRead {
  readonly start: number;
  readonly end: number;
  readonly options: ReadOptions | undefined;
}

/** A source that records what is read from it, and waits for `gate` before it returns any bytes. */
export function spy(gate: Promise<void> = Promise.resolve(), source: ByteSource = memorySource(bytes, { version })) {
  const reads: SeenRead[] = [];
  const spied: ByteSource = {
    key: 'spied',
    stat: (options) => source.stat(options),
    read: async (range, options) => {
      reads.push({ ...range, options });
      await gate;
      return source.read(range, options);
    },
    stream: (range, options) => {
      reads.push({ ...range, options });
      return source.stream(range, options);
    },
  };
  return { source: spied, reads, ranges: () => reads.map(({ start, end }) => [start, end]) };
}

/** A cache that holds ten blocks. */
export const SMALL = { blockBytes: 100, coalesceBytes: 0, maxBytes: 1_000 };
