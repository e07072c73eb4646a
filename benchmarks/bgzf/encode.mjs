// Measures BGZF encoding on one thread: speed and compression.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
import { deflateBlocks } from '@htskit/bgzf';
import { deflateSync as fflateDeflate } from 'fflate';
import { deflateRaw as pakoDeflate } from 'pako';
import { compressionRow, npmPeer, race, throughputRows } from '../harness.mjs';
import { outputOf, runCommand } from '../installed-command.mjs';
import { BLOCK_OVERHEAD, splitBlocks, splitData } from './blocks.mjs';

const zlib = `node:zlib ${process.versions.zlib.replace(/-.*/, '')} deflateRaw`;
const [pako, fflate] = ['pako', 'fflate'].map(npmPeer);

/** Returns rows for `data` of `kind`: the speed, with budgets at level 6, and the compression ratio. */
export async function measureEncode({ kind, data, level, folder, bgzip }) {
  const bgzipName = bgzip && `${bgzip.name} -l${level} -@1, whole process`;
  const encoders = [
    ...libraries(data, level),
    ...commands({ name: bgzipName, data, level, bgzip, path: join(folder, kind) }),
  ];
  const sizes = new Map();
  const contenders = encoders.map(({ name, run, encode = run, decode }) => {
    const result = async () => {
      const { size, pieces } = decode(await encode());
      sizes.set(name, size);
      return pieces;
    };
    return { name, run, result };
  });
  const budgets = [
    { peers: [zlib], budget: 1.5 },
    { peers: [bgzipName], budget: 1.2 },
  ];
  const name = `encode ${kind}, level ${level}, one thread`;
  const amount = data.length / 1e6;
  const work = { name, unit: 'MB/s', amount, budgets: level === 6 ? budgets : [{ budget: null }] };
  const raced = await race(contenders, { rounds: 5 });
  const size = { name: `${name}: size`, size: data.length, sizes: [...sizes] };
  return [...throughputRows(work, raced), compressionRow(size, raced)];
}

/** Returns contenders. `decode` returns the size as BGZF, and the data again. */
function libraries(data, level) {
  const pieces = splitData(data);
  const decode = (deflated) => ({
    size: deflated.reduce((sum, { length }) => sum + length + BLOCK_OVERHEAD, 0),
    pieces: deflated.map((part) => inflateRawSync(part)),
  });
  return [
    { name: 'ours', run: () => deflateBlocks(data, { level }), decode: decodeFile },
    { name: zlib, run: () => pieces.map((piece) => deflateRawSync(piece, { level })), decode },
    { name: pako, run: () => pieces.map((piece) => pakoDeflate(piece, { level })), decode },
    { name: fflate, run: () => pieces.map((piece) => fflateDeflate(piece, { level })), decode },
  ];
}

function commands({ name, data, level, bgzip, path }) {
  if (bgzip === undefined) return [];
  writeFileSync(path, data);
  const args = ['-c', `-l${level}`, '-@1', path];
  const run = () => runCommand(bgzip.command, args);
  const encode = () => buffer(outputOf(bgzip.command, args));
  return [{ name, run, encode, decode: decodeFile }];
}

function decodeFile(file) {
  return { size: file.length, pieces: splitBlocks(file).map((block) => gunzipSync(block)) };
}
