import { fromBufferFilehandle, fromFilehandle, toFilehandle } from '@htskit/storage/filehandle';
import { memorySource } from '@htskit/storage/memory';
import { equal, equalBytes, failsWith } from '../check.mjs';

const bytes = Uint8Array.from({ length: 600_001 }, (_, index) => (index * 31) >> 5);
const source = memorySource(bytes, { version: 'v1' });

/** A filehandle that fills a buffer, a little at a time. */
const bufferFilehandle = {
  read: async (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + Math.min(length, 100_000));
    buffer.set(part, offset);
    return { bytesRead: part.length, buffer };
  },
  stat: async () => ({ size: bytes.length }),
};

export const checks = {
  'reads and streams ranges': async () => {
    equalBytes(await source.read({ start: 5, end: 500_000 }), bytes.subarray(5, 500_000));
    const stream = source.stream({ start: 5, end: 1e9 }, { version: 'v1' });
    equalBytes(new Uint8Array(await new Response(stream).arrayBuffer()), bytes.subarray(5));
  },
  'notices another version, and a signal': async () => {
    await failsWith('CHANGED', () => source.read({ start: 0, end: 1 }, { version: 'v2' }));
    const controller = new AbortController();
    const reader = source.stream({ start: 0, end: 1e9 }, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort();
    await failsWith('ABORTED', () => reader.read());
  },
  'reads filehandles': async () => {
    for (const each of [fromFilehandle(toFilehandle(source)), fromBufferFilehandle(bufferFilehandle)]) {
      equal((await each.stat()).size, bytes.length);
      equalBytes(await each.read({ start: 5, end: 1e9 }), bytes.subarray(5));
      equalBytes(
        new Uint8Array(await new Response(each.stream({ start: 5, end: 1e9 })).arrayBuffer()),
        bytes.subarray(5),
      );
    }
  },
};
