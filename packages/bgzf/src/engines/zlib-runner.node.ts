import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { parseBlockFooter } from '../block-footer.js';
import { FOOTER_LENGTH } from '../block-header.js';
import type { InflatedData } from '../codec-engine.js';
import { MAX_INPUT } from '../deflate-blocks.js';
import { type CodecJob, type CodecJobResult, runCodecJob, toArrays } from '../pool/codec-job.js';
import type { CodecRunner } from '../pool/codec-runner.js';
import { sliceBlock } from '../slice-block.js';
import { toInflateOptions, toPlainArray, type ZlibResult, zlibEngine } from './zlib-engine.node.js';

const [inflateAsync, deflateAsync] = [promisify(inflateRaw), promisify(deflateRaw)];

/** Threads of Node's pool unless UV_THREADPOOL_SIZE says otherwise. */
const THREADPOOL_SIZE = 4;

/**
 * Does the jobs of a `BgzfPool` by node:zlib on Node's own thread pool: slower than workers, but without any script to
 * load, so that it works in programs that were bundled into one file.
 */
export function createZlibRunner(): CodecRunner {
  return {
    threads: THREADPOOL_SIZE,
    run: (job) => (job.kind === 'inflate' ? inflateJob(job) : deflateJob(job)),
    close: () => Promise.resolve(),
  };
}

/** The slow part is done ahead; then the job runs with an engine that has all results at hand. */
async function inflateJob(job: CodecJob): Promise<CodecJobResult> {
  const results = await Promise.all(splitBlocks(toArrays(job).input).map(inflateData)).catch(() => undefined);
  if (results === undefined) return { slot: job.slot, outputLength: undefined };
  const inflateRaw = (): InflatedData => results.shift() ?? { bytes: new Uint8Array(0), consumed: 0 };
  const createInflater = () => ({ ...zlibEngine.createInflater(), inflateRaw });
  return runCodecJob(job, { ...zlibEngine, createInflater });
}

async function deflateJob(job: Extract<CodecJob, { kind: 'deflate' }>): Promise<CodecJobResult> {
  const { level } = job;
  const { input } = toArrays(job);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < input.length; at += MAX_INPUT) parts.push(input.subarray(at, at + MAX_INPUT));
  const results = level === 0 ? [] : await Promise.all(parts.map((part) => deflateAsync(part, { level })));
  return runCodecJob(job, { ...zlibEngine, deflateRaw: () => results.shift() });
}

interface BlockData {
  readonly data: Uint8Array;
  readonly isize: number;
}

/** The blocks of a job, whose headers and sizes were checked when it was put together. */
function splitBlocks(bytes: Uint8Array): BlockData[] {
  const blocks: BlockData[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { header, block } = sliceBlock(bytes, { at, coffset: at });
    const { isize } = parseBlockFooter(block, header, at);
    blocks.push({ data: block.subarray(header.dataStart, -FOOTER_LENGTH), isize });
    at += header.blockSize;
  }
  return blocks;
}

async function inflateData({ data, isize }: BlockData): Promise<InflatedData> {
  const result = (await inflateAsync(data, toInflateOptions(isize))) as unknown as ZlibResult;
  return { bytes: toPlainArray(result.buffer), consumed: result.engine.bytesWritten };
}
