// Measures BGZF decoding with CRC32 on one thread, block by block.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import { BlockInflater } from '@htskit/bgzf/internal';
import { inflateSync as fflateInflate } from 'fflate';
import { inflateRaw as pakoInflate } from 'pako';
import { gmodPeer, importGmod } from '../gmod.mjs';
import { npmPeer, race, throughputRows } from '../harness.mjs';
import { outputOf, runCommand } from '../installed-command.mjs';
import { noodles } from '../noodles/noodles.mjs';
import { parseBlock, splitBlocks } from './blocks.mjs';

/** Blocks per call of @gmod/bgzf-filehandle, 4 MB of data: it is faster with many, and joins their data. */
const BATCH = 64;

const zlib = `node:zlib ${process.versions.zlib.replace(/-.*/, '')}`;
const { unzip } = await importGmod('@gmod/bgzf-filehandle');
const [pako, fflate] = ['pako', 'fflate'].map((name) => `${npmPeer(name)}, no CRC`);
const gmod = `${gmodPeer('@gmod/bgzf-filehandle')}, no CRC`;
const zlibGunzip = `${zlib} gunzip`;
const zlibInflateRaw = `${zlib} inflateRaw + crc32`;

/** Returns rows for `file`, the blocks of `size` bytes of `kind`. */
export async function measureDecode({ kind, file, size, folder, bgzip }) {
  const contenders = [...libraries(file), ...commands({ file, path: join(folder, `${kind}.gz`), bgzip })];
  const work = {
    name: `decode ${kind} (${(size / file.length).toFixed(1)}x) with CRC, one thread`,
    unit: 'MB/s',
    amount: size / 1e6,
    budgets: [
      { peers: [zlibGunzip, zlibInflateRaw, gmod, fflate], budget: 1.2 },
      { peers: [pako], budget: 3 },
    ],
  };
  return throughputRows(work, await race(contenders, { rounds: 5 }));
}

function libraries(file) {
  const blocks = splitBlocks(file);
  const inflater = new BlockInflater();
  const parsed = blocks.map(parseBlock);
  const batches = splitBatches(file, blocks);
  return [
    { name: 'ours', run: () => mapLazily(blocks, (block) => inflater.inflate(block)) },
    { name: gmod, run: () => mapLazily(batches, (batch) => unzip(batch)) },
    { name: zlibGunzip, run: () => mapLazily(blocks, (block) => gunzipSync(block)) },
    { name: zlibInflateRaw, run: () => mapLazily(parsed, inflateAndCheck) },
    { name: pako, run: () => mapLazily(parsed, ({ deflated }) => pakoInflate(deflated)) },
    {
      name: fflate,
      run: () => mapLazily(parsed, ({ deflated, isize }) => fflateInflate(deflated, { out: new Uint8Array(isize) })),
    },
  ];
}

/** The fastest use of node:zlib: with one byte more than the data, it allocates no further memory at the end. */
function inflateAndCheck({ deflated, crc, isize }) {
  const data = inflateRawSync(deflated, { chunkSize: Math.max(64, isize + 1) });
  if (data.length !== isize || crc32(data) !== crc) throw new Error('the block is corrupt');
  return data;
}

function commands({ file, path, bgzip }) {
  writeFileSync(path, file);
  const args = ['-dc', '-@1', path];
  const ofBgzip = bgzip && {
    name: `${bgzip.name} -dc -@1, whole process`,
    run: () => runCommand(bgzip.command, args),
    result: () => outputOf(bgzip.command, args),
  };
  return [ofBgzip, noodles('noodles-bgzf', 'inflate', path)].filter((peer) => peer !== undefined);
}

/** Yields one piece at a time, so that no contender has to keep its output. */
function* mapLazily(items, map) {
  for (const item of items) yield map(item);
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
