// Measures `htskit depth` on one thread beside samtools depth and mosdepth, as whole processes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { outputOf } from '../installed-command.mjs';
import { raceTasks, speedRows, wholeProcess } from '../records/race-tasks.mjs';

const COMMAND = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url));
/** Means of a hundred bases have the two decimals that mosdepth prints. */
const BIN_BASES = 100;

/** Returns rows for each base as text, exact depths as a compressed file, and means of bins. */
export async function measureDepth(folder, { paths, length, samtools, mosdepth }) {
  const { short: bam, shortCram: cram, genome } = paths;
  // mosdepth -x counts deletions.
  const [bigWig, prefix, bins] = [join(folder, 'depth.bw'), join(folder, 'depth'), `${BIN_BASES}`];
  const works = [
    samtools && {
      name: 'BAM, depth of each base as text',
      ours: ['-a', bam],
      peer: { ...samtools, name: `${samtools.name} depth`, args: ['depth', '-a', bam] },
      budget: 1,
      ask: { ours: ['-a', bam], peer: async () => [await textOf(samtools.command, ['depth', '-a', bam])] },
    },
    mosdepth && {
      name: 'BAM, exact depths as bigWig',
      ours: ['-J', '-o', bigWig, bam],
      peer: { ...mosdepth, name: `${mosdepth.name} -x, bed.gz`, args: ['-x', prefix, bam] },
      budget: 0.6,
      ask: { ours: ['-J', '-a', bam], peer: () => basesOf(`${prefix}.per-base.bed.gz`) },
    },
    mosdepth && {
      name: `BAM, mean depths of ${BIN_BASES} bases`,
      ours: ['-J', '--bin', bins, bam],
      peer: { ...mosdepth, name: `${mosdepth.name} -x -n, bed.gz`, args: ['-x', '-n', '--by', bins, prefix, bam] },
      budget: 0.6,
      ask: { ours: ['-J', '--bin', bins, bam], peer: () => meansOf(`${prefix}.regions.bed.gz`), round: true },
    },
    samtools && {
      name: 'CRAM 3.0, depth of each base as text',
      ours: ['-T', genome, cram],
      peer: { ...samtools, name: `${samtools.name} depth`, args: ['depth', '--reference', genome, cram] },
      budget: 0.7,
      ask: {
        ours: ['-T', genome, cram],
        peer: async () => [await textOf(samtools.command, ['depth', '--reference', genome, cram])],
      },
    },
  ];
  const rows = [];
  for (const work of works.filter((each) => each !== undefined)) rows.push(...(await measureWork(work, length)));
  return rows;
}

async function measureWork({ name, ours, peer, budget, ask }, length) {
  const raced = await raceTasks([
    wholeProcess('ours', process.execPath, toCommand(ours)),
    wholeProcess(peer.name, peer.command, peer.args),
  ]);
  const depths = await textOf(process.execPath, toCommand(ask.ours));
  const equal = sha256(ask.round === true ? rounded(depths) : [depths]) === sha256(await ask.peer());
  const work = { name, unit: 'Mb/CPU s', amount: length / 1e6, budgets: [{ peer: peer.name, budget }] };
  return speedRows(work, raced).map((row) => ({ ...row, equal }));
}

/** Returns the arguments of node that run the command on one thread. */
function toCommand(args) {
  return [COMMAND, 'depth', '-@', '0', ...args];
}

async function textOf(command, args) {
  const chunks = [];
  for await (const chunk of outputOf(command, args)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/** Yields the lines of samtools depth from a compressed BED file of runs. */
function* basesOf(path) {
  for (const [name, start, end, depth] of fieldsOf(gunzipSync(readFileSync(path)).toString('latin1'))) {
    let lines = '';
    for (let position = Number(start) + 1; position <= Number(end); position += 1) {
      lines += `${name}\t${position}\t${depth}\n`;
    }
    yield lines;
  }
}

/** Yields the lines of a bedGraph without bins of depth 0, from a compressed BED file. */
function* meansOf(path) {
  for (const [name, start, end, mean] of fieldsOf(gunzipSync(readFileSync(path)).toString('latin1'))) {
    if (Number(mean) > 0) yield `${name}\t${start}\t${end}\t${mean}\n`;
  }
}

/** Yields the lines of a bedGraph with two decimals, as mosdepth prints them. */
function* rounded(text) {
  for (const [name, start, end, mean] of fieldsOf(text)) {
    yield `${name}\t${start}\t${end}\t${Number(mean).toFixed(2)}\n`;
  }
}

function fieldsOf(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

function sha256(pieces) {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
