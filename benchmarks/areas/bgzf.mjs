// BGZF decode with CRC32 and encode, block by block, on one thread.
import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
import { unzip } from '@gmod/bgzf-filehandle';
import { deflateBlocks, inflateBlock } from '@htskit/bgzf';
import { deflateSync as fflateDeflate, inflateSync as fflateInflate } from 'fflate';
import { deflateRaw as pakoDeflate, inflateRaw as pakoInflate } from 'pako';
import { makeBamLike } from '../bam-like.mjs';
import { npmPeer, race, throughputRows } from '../harness.mjs';

const DECODE_BYTES = 12_000_000;
const ENCODE_BYTES = 1_500_000;
const BLOCK_DATA = 65280;
/** Blocks that @gmod/bgzf-filehandle is given at once, 4 MB of data: it is faster with many, and joins their data. */
const BATCH = 64;

const zlib = `node:zlib ${process.versions.zlib.replace(/-.*/, '')}`;
const [pako, fflate, gmod] = ['pako', 'fflate', '@gmod/bgzf-filehandle'].map(npmPeer);
const zlibWithCrc = `${zlib} gunzip`;
const zlibWithoutCrc = `${zlib} inflateRaw, no CRC`;

export async function measure() {
  return [...(await measureDecode()), ...(await measureEncode())];
}

async function measureDecode() {
  const file = deflateBlocks(makeBamLike(DECODE_BYTES));
  const blocks = splitBlocks(file);
  // The header is 18 bytes long, the footer 8; a user of these libraries has to know.
  const deflated = blocks.map((block) => block.subarray(18, -8));
  const batches = splitBatches(file, blocks);
  const contenders = [
    { name: 'ours', run: () => blocks.map((block) => inflateBlock(block)) },
    { name: zlibWithCrc, run: () => blocks.map((block) => gunzipSync(block)) },
    { name: zlibWithoutCrc, run: () => deflated.map((data) => inflateRawSync(data)) },
    { name: `${gmod}, no CRC`, run: () => unzipBatches(batches) },
    { name: `${pako}, no CRC`, run: () => deflated.map((data) => pakoInflate(data)) },
    { name: `${fflate}, no CRC`, run: () => deflated.map((data) => fflateInflate(data)) },
  ];
  const budgets = [
    { peers: [zlibWithCrc, zlibWithoutCrc, `${gmod}, no CRC`], budget: 1 },
    { peers: [`${pako}, no CRC`], budget: 3 },
  ];
  const name = `decode with CRC, ${(DECODE_BYTES / file.length).toFixed(1)}x compressed`;
  return throughputRows(
    { name, unit: 'MB/s', amount: DECODE_BYTES / 1e6, budgets },
    await race(contenders, { rounds: 15 }),
  );
}

async function unzipBatches(batches) {
  const results = [];
  for (const batch of batches) results.push(await unzip(batch));
  return results;
}

async function measureEncode() {
  const data = makeBamLike(ENCODE_BYTES, 2);
  const parts = [];
  for (let at = 0; at < data.length; at += BLOCK_DATA) parts.push(data.subarray(at, at + BLOCK_DATA));
  const inflate = (deflated) => deflated.map((part) => inflateRawSync(part));
  const contenders = [
    {
      name: 'ours',
      run: () => deflateBlocks(data, { level: 6 }),
      result: (file) => splitBlocks(file).map((block) => gunzipSync(block)),
    },
    { name: zlib, run: () => parts.map((part) => deflateRawSync(part, { level: 6 })), result: inflate },
    { name: pako, run: () => parts.map((part) => pakoDeflate(part, { level: 6 })), result: inflate },
    { name: fflate, run: () => parts.map((part) => fflateDeflate(part, { level: 6 })), result: inflate },
  ];
  const work = {
    name: 'encode, level 6',
    unit: 'MB/s',
    amount: ENCODE_BYTES / 1e6,
    budgets: [{ peers: [zlib], budget: 1.5 }],
  };
  return throughputRows(work, await race(contenders, { rounds: 15 }));
}

/** The blocks of a file that deflateBlocks wrote: BSIZE stands at byte 16 of each. */
function splitBlocks(file) {
  const blocks = [];
  for (let at = 0; at < file.length; ) {
    const end = at + (file[at + 16] | (file[at + 17] << 8)) + 1;
    blocks.push(file.subarray(at, end));
    at = end;
  }
  return blocks;
}

function splitBatches(file, blocks) {
  const batches = [];
  for (let first = 0; first < blocks.length; first += BATCH) {
    const start = blocks[first].byteOffset - file.byteOffset;
    const last = blocks[Math.min(first + BATCH, blocks.length) - 1];
    batches.push(file.subarray(start, last.byteOffset - file.byteOffset + last.length));
  }
  return batches;
}
