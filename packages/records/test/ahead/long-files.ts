import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { InflatePool } from '@htskit/bgzf/internal';
import {
  createSamToBam,
  parseBamHeader,
  parseCramContainerHeader,
  parseCramHeader,
  parseSamHeader,
} from '@htskit/formats';
import { indexBam } from '@htskit/indexes';
import { concatBytes, encodeText, readChunks, toOwned } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, readFixture } from '@htskit/testing';
import { vi } from 'vitest';
import { WorkerTask } from '../../src/ahead/worker-task.js';

/** Returns a fixture of CRAM whose containers follow each other so often that they have at least so many bytes. */
export function repeatCram(name: string, minBytes: number): Uint8Array {
  const bytes = new Uint8Array(readFixture(name));
  const { byteLength, version } = parseCramHeader(bytes);
  let end = byteLength;
  for (let at = byteLength; at < bytes.length; ) {
    end = at;
    const header = parseCramContainerHeader(bytes.subarray(at), { version, offset: at });
    at += (header?.headerLength ?? bytes.length) + (header?.length ?? 0);
  }
  return repeat(bytes, { start: byteLength, end, minBytes });
}

/** Returns a fixture of BAM whose records follow each other so often that they have at least so many bytes, not compressed. */
export function repeatBam(name: string, minBytes: number): Uint8Array {
  const data = bgunzip(readFixture(name));
  const { byteLength: start } = parseBamHeader(data);
  return concatBytes([deflateBlocks(repeat(data, { start, end: data.length, minBytes }), { level: 0 }), EOF_MARKER]);
}

/** Returns BAM of at least so many bytes, not compressed, whose reads are sorted, and its index. The reads end within blocks. */
export async function createSortedBam(
  minBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly index: Uint8Array }> {
  const converter = createSamToBam(
    parseSamHeader(encodeText('@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:100000000\n')),
  );
  const count = Math.ceil(minBytes / 1000);
  const lines = Array.from({ length: count }, (_, read) => {
    const bases = 'ACGT'.repeat(150 + (read % 20));
    return `read${read}\t0\tchr1\t${100 * read + 1}\t60\t${bases.length}M\t*\t0\t0\t${bases}\t${'I'.repeat(bases.length)}\n`;
  });
  const records = converter.push(encodeText(lines.join(''))).map(toOwned);
  const blocks = deflateBlocks(concatBytes([converter.header, ...records]), { level: 0 });
  const bytes = concatBytes([blocks, EOF_MARKER]);
  return { bytes, index: await indexBam(readChunks(memorySource(bytes).stream({ start: 0, end: bytes.length }))) };
}

function repeat(
  bytes: Uint8Array,
  { start, end, minBytes }: { readonly start: number; readonly end: number; readonly minBytes: number },
): Uint8Array {
  const times = Math.ceil(minBytes / (end - start));
  const repeated = Array.from({ length: times }, () => bytes.subarray(start, end));
  return concatBytes([bytes.subarray(0, start), ...repeated, bytes.subarray(end)]);
}

/** Counts the containers and texts that workers have done from now on, and the streams that they inflate. */
export function countJobs(): { readonly done: () => Promise<number> } {
  const spies = [vi.spyOn(WorkerTask.prototype, 'run'), vi.spyOn(InflatePool.prototype, 'inflate')];
  for (const spy of spies) spy.mockClear();
  return {
    async done() {
      const results = await Promise.all(spies.flatMap(({ mock }) => mock.results.map(({ value }) => value as unknown)));
      return results.filter((result) => result !== undefined).length;
    },
  };
}

/** Repeats a reading until a worker has started: until then, the calling thread does everything. */
export async function startWorker(read: () => Promise<unknown>): Promise<void> {
  const jobs = countJobs();
  for (let round = 0; round < 100 && (await jobs.done()) === 0; round++) await read();
}
