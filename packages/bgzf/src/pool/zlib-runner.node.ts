import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { FOOTER_LENGTH, parseBlockFooter, sliceBlock } from '../block/block-layout.js';
import { BLOCK_DATA_BYTES } from '../block/deflate-blocks.js';
import type { InflatedData } from '../engines/codec-engine.js';
import { toInflateOptions, toPlainArray, type ZlibResult, zlibEngine } from '../engines/zlib-engine.node.js';
import { type CodecRunner, type DeflateJob, runCodecJob, toInput } from './codec-job.js';
import type { CodecJobResult, InflateJob } from './inflate-job.js';

const [inflateAsync, deflateAsync] = [promisify(inflateRaw), promisify(deflateRaw)];

/** Default size of Node's thread pool, which UV_THREADPOOL_SIZE changes. */
const THREADPOOL_SIZE = 4;

/**
 * Creates a runner that does the jobs of a `BgzfPool` with node:zlib on Node's own thread pool. It is slower than
 * workers, but loads no script, so that it works in programs that are bundled into one file.
 *
 * @example
 * const pool = new BgzfPool({ runner: createZlibRunner() });
 */
export function createZlibRunner(): CodecRunner {
  return {
    threads: THREADPOOL_SIZE,
    run: (job) => (job.kind === 'inflate' ? inflateJob(job) : deflateJob(job)),
    close: () => Promise.resolve(),
  };
}

/** Inflates all blocks on the thread pool, and then runs the job with an engine that returns those results. */
async function inflateJob(job: InflateJob): Promise<CodecJobResult> {
  const results = await Promise.all(splitBlocks(toInput(job)).map(inflateData)).catch(() => undefined);
  if (results === undefined) return { slot: job.slot, outputLength: undefined };
  const inflateRaw = (): InflatedData => results.shift() ?? { bytes: new Uint8Array(0), consumed: 0 };
  const createInflater = () => ({ ...zlibEngine.createInflater(), inflateRaw });
  return runCodecJob(job, { ...zlibEngine, createInflater });
}

async function deflateJob(job: DeflateJob): Promise<CodecJobResult> {
  const { level } = job;
  const input = toInput(job);
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset < input.length; offset += BLOCK_DATA_BYTES) {
    parts.push(input.subarray(offset, offset + BLOCK_DATA_BYTES));
  }
  const results = level === 0 ? [] : await Promise.all(parts.map((part) => deflateAsync(part, { level })));
  return runCodecJob(job, { ...zlibEngine, deflateRaw: () => results.shift() });
}

interface BlockData {
  readonly data: Uint8Array;
  readonly isize: number;
}

/** Splits the input of a job, whose block headers and sizes were checked when the job was created. */
function splitBlocks(bytes: Uint8Array): BlockData[] {
  const blocks: BlockData[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const { header, block } = sliceBlock(bytes, { offset, coffset: offset });
    const { isize } = parseBlockFooter(block, header, offset);
    blocks.push({ data: block.subarray(header.dataStart, -FOOTER_LENGTH), isize });
    offset += header.blockSize;
  }
  return blocks;
}

async function inflateData({ data, isize }: BlockData): Promise<InflatedData> {
  const result = (await inflateAsync(data, toInflateOptions(isize))) as unknown as ZlibResult;
  return { bytes: toPlainArray(result.buffer), consumed: result.engine.bytesWritten };
}
