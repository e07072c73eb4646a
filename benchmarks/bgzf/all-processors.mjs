// Measures BGZF decoding and encoding of a whole file on all processors, from disk.
import { createReadStream, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { BgzfPool } from '@htskit/bgzf';
import { race, throughputRows } from '../harness.mjs';
import { outputOf, runCommand } from '../installed-command.mjs';
import { splitBlocks } from './blocks.mjs';

/** The file is the same data eight times. That favours no contender, since blocks are independent. */
const REPEATS = 8;

const threads = availableParallelism();
const script = fileURLToPath(new URL('./inflate-file.mjs', import.meta.url));

/** Returns rows for `file`, the blocks of `data`; no rows if bgzip is not installed. */
export async function measureAllProcessors({ kind, data, file, folder, bgzip }) {
  if (bgzip === undefined) return [];
  const pool = new BgzfPool({ threads });
  try {
    const paths = { blocks: join(folder, 'all.gz'), data: join(folder, 'all') };
    writeFileSync(paths.blocks, Buffer.concat(Array.from({ length: REPEATS }, () => file)));
    writeFileSync(paths.data, data);
    return [
      ...(await measureDecode(pool, { kind, amount: (REPEATS * data.length) / 1e6, path: paths.blocks, bgzip })),
      ...(await measureEncode(pool, { kind, amount: data.length / 1e6, path: paths.data, bgzip })),
    ];
  } finally {
    await pool.close();
  }
}

async function measureDecode(pool, { kind, amount, path, bgzip }) {
  const args = ['-dc', `-@${threads}`, path];
  const contenders = [
    { name: 'ours', run: () => pool.inflate(readFile(path)) },
    ofCommand('node inflate-file.mjs', process.execPath, [script, path]),
    ofCommand(`${bgzip.name} ${args.slice(0, 2).join(' ')}, whole process`, bgzip.command, args),
  ];
  const { ours, peers, equal } = await race(contenders, { rounds: 7 });
  const [whole, peer] = peers;
  const name = `decode ${kind} file with CRC, ${threads} threads`;
  const work = { unit: 'MB/s', amount };
  return [
    ...throughputRows({ ...work, name, budgets: [{ budget: 1 }] }, { ours, peers: [peer], equal }),
    ...throughputRows(
      { ...work, name: `${name}, whole process`, budgets: [{ budget: null }] },
      { ours: whole, peers: [peer], equal },
    ),
  ];
}

async function measureEncode(pool, { kind, amount, path, bgzip }) {
  const args = ['-c', '-l6', `-@${threads}`, path];
  const deflate = () => pool.deflate(readFile(path), { level: 6 });
  const contenders = [
    { name: 'ours', run: deflate, result: () => inflateFile(deflate()) },
    {
      name: `${bgzip.name} ${args.slice(1, 3).join(' ')}, whole process`,
      run: () => runCommand(bgzip.command, args),
      result: () => inflateFile(outputOf(bgzip.command, args)),
    },
  ];
  const work = { name: `encode ${kind} file, level 6, ${threads} threads`, unit: 'MB/s', amount };
  return throughputRows({ ...work, budgets: [{ budget: null }] }, await race(contenders, { rounds: 5 }));
}

function ofCommand(name, command, args) {
  return { name, run: () => runCommand(command, args), result: () => outputOf(command, args) };
}

async function inflateFile(chunks) {
  return splitBlocks(await buffer(chunks)).map((block) => gunzipSync(block));
}

function readFile(path) {
  return createReadStream(path, { highWaterMark: 2 ** 20 });
}
