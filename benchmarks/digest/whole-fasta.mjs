// Measures MD5 and sha512t24u of each sequence of a FASTA file on all processors, from disk, against programs that do
// less.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DigestPool } from '@htskit/sequences';
import { LINE_BASES, LINE_LENGTH, makeFastaLike, spell } from '../fasta-like.mjs';
import { race, throughputRows } from '../harness.mjs';
import { cpuSecondsOf, findCommand, outputOf, runCommand } from '../installed-command.mjs';
import { noteNotMeasured } from '../not-measured.mjs';
import { smallerRows, takeTurns } from '../turns.mjs';

/** Lines that are generated. Records repeat them, which makes no hash faster. */
const LINES = 2 ** 18;
const SHORT = 'short sequences';
/** Lines of the sequences, 96 MB of file: chromosomes of different sizes with 500 contigs, and one long chromosome. */
const RECORD_LINES = {
  'several sequences': [
    ...[480, 320, 220, 150, 110, 85, 60, 45, 35, 20, 10].map((thousands) => thousands * 1000),
    ...Array.from({ length: 500 }, (_, index) => 1 + ((index * 37) % 200)),
  ],
  'one sequence': [1_570_000],
  // 100,000 records of one line each.
  [SHORT]: Array.from({ length: 100_000 }, () => 1),
};

const PYTHON = 'python3';
const GTARS_VERSION = 'from importlib.metadata import version; print(version("gtars"))';
const GTARS = `
import sys
from gtars.refget import digest_fasta
for record in digest_fasta(sys.argv[1]):
    print(record.metadata.name, record.metadata.length, record.metadata.md5, sep="\\t")
`;

const threads = availableParallelism();

/** Returns rows for a FASTA of several sequences, and for one of a single sequence. */
export async function measureWholeFasta(folder) {
  const lines = makeFastaLike(LINES * LINE_LENGTH, 4);
  const sequence = spell(lines);
  const rows = [];
  for (const [kind, recordLines] of Object.entries(RECORD_LINES)) {
    const path = join(folder, `${kind}.fa`);
    writeFasta(path, { lines, recordLines });
    rows.push(
      await measureFile(path, {
        kind,
        expected: recordLines.map((count, index) => digestPlainly(sequence, { count, index })),
      }),
    );
  }
  return rows.flat();
}

async function measureFile(path, { kind, expected }) {
  const pool = new DigestPool({ threads });
  const digest = () => digestFile(pool, path);
  const programs = findPrograms(path);
  const contenders = [{ name: 'ours', run: digest, result: async () => (await digest()).map(toMd5Line) }];
  for (const { command, args, name, result } of programs)
    contenders.push({ name, run: () => runCommand(command, args), result });
  const byCommand = (wanted) => programs.filter(({ command }) => command === wanted).map(({ name }) => name);
  const work = {
    name: `FASTA of ${kind}: MD5 + sha512t24u, ${threads} threads`,
    unit: 'MB/s',
    amount: statSync(path).size / 1e6,
    budgets: [
      { peers: byCommand('md5sum'), budget: kind === SHORT ? null : 0.9 },
      { peers: byCommand('samtools'), budget: kind === SHORT ? null : 2 },
    ],
  };
  try {
    const raced = await race(contenders, { rounds: kind === SHORT ? 3 : 5 });
    const found = await digest();
    const equal = raced.equal && JSON.stringify(found.map(toDigests)) === JSON.stringify(expected);
    const cpuRows = kind === SHORT ? await measureCpuTime({ digest, programs, equal }) : [];
    return [...throughputRows(work, { ...raced, equal }), ...cpuRows];
  } finally {
    await pool.close();
  }
}

/** Returns a row for the CPU time of all threads, which is what short sequences cost: samtools runs on one. */
async function measureCpuTime({ digest, programs, equal }) {
  const samtools = programs.find(({ command }) => command === 'samtools');
  if (samtools === undefined) return [];
  const contenders = [
    {
      name: 'ours',
      measure: async () => {
        const before = process.cpuUsage();
        await digest();
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1e6;
      },
    },
    { name: samtools.name, measure: () => cpuSecondsOf(samtools.command, samtools.args) },
  ];
  const { ours, peers } = await takeTurns(contenders, { rounds: 3 });
  const work = { name: 'FASTA of short sequences: CPU time', unit: 's', budgets: { [samtools.name]: 0.5 }, equal };
  return smallerRows(
    work,
    [ours, ...peers].map(({ name, seconds }) => [name, seconds]),
  );
}

/** Returns the installed programs. Only samtools parses sequences; the others hash the file as it is. */
function findPrograms(path) {
  const dict = async () => parseDict(await text(outputOf('samtools', ['dict', path]))).map(toMd5Line);
  const programs = [
    { command: 'md5sum', args: [path], what: 'of the file as it is', result: null },
    { command: 'sha512sum', args: [path], what: 'of the file as it is', result: null },
    { command: 'samtools', args: ['dict', path], what: 'dict, MD5 only', result: dict },
  ];
  const found = programs.flatMap(({ what, ...program }) => {
    const { name } = findCommand(program.command) ?? {};
    return name === undefined ? [] : { ...program, name: `${name} ${what}, whole process` };
  });
  return [...found, ...findGtars(path)];
}

/** Returns gtars, which computes the same digests, if Python has it. */
function findGtars(path) {
  const { status, stdout } = spawnSync(PYTHON, ['-c', GTARS_VERSION], { encoding: 'utf8' });
  if (status !== 0) {
    noteNotMeasured('gtars', 'pip install gtars');
    return [];
  }
  const args = ['-c', GTARS, path];
  const name = `gtars ${stdout.trim()}, whole process`;
  return [{ command: PYTHON, args, name, result: () => outputOf(PYTHON, args) }];
}

async function digestFile(pool, path) {
  const found = [];
  for await (const digests of pool.digestFasta(readFile(path))) found.push(digests);
  return found;
}

/** Reads a file as `htskit digest` does: in chunks that share one buffer. */
async function* readFile(path) {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(2 ** 20);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function toDigests({ name, length, md5, sha512t24u }) {
  return { name, length, md5, sha512t24u };
}

function toMd5Line({ name, length, md5 }) {
  return `${name}\t${length}\t${md5}\n`;
}

/** Returns the @SQ lines of a dictionary (SAMv1 §1.3). */
function parseDict(dict) {
  const lines = dict.split('\n').filter((line) => line.startsWith('@SQ\t'));
  return lines.map((line) => {
    const {
      SN: name,
      LN: length,
      M5: md5,
    } = Object.fromEntries(line.split('\t').map((field) => [field.slice(0, 2), field.slice(3)]));
    return { name, length, md5 };
  });
}

function writeFasta(path, { lines, recordLines }) {
  const file = openSync(path, 'w');
  for (const [index, count] of recordLines.entries()) {
    writeSync(file, `>${toName(index)} made for a benchmark\n`);
    for (const [start, end] of toRuns({ count, index }))
      writeSync(file, lines, start * LINE_LENGTH, (end - start) * LINE_LENGTH);
  }
  closeSync(file);
}

/** Returns the digests that node:crypto computes of the sequence of a record. */
function digestPlainly(sequence, { count, index }) {
  const [md5, sha512] = ['md5', 'sha512'].map((name) => createHash(name));
  for (const [start, end] of toRuns({ count, index })) {
    const bases = sequence.subarray(start * LINE_BASES, end * LINE_BASES);
    md5.update(bases);
    sha512.update(bases);
  }
  const sha512t24u = `SQ.${sha512.digest().subarray(0, 24).toString('base64url')}`;
  return { name: toName(index), length: count * LINE_BASES, md5: md5.digest('hex'), sha512t24u };
}

function toName(index) {
  return `sequence${index + 1}`;
}

/** Returns the runs [start, end) of generated lines in a record of `count` lines. Each record begins elsewhere. */
function toRuns({ count, index }) {
  const runs = [];
  let start = (index * 1009) % LINES;
  for (let left = count; left > 0; start = 0) {
    const end = Math.min(LINES, start + left);
    runs.push([start, end]);
    left -= end - start;
  }
  return runs;
}
