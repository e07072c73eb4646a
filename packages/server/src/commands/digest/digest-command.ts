import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { type CharacterPolicy, DigestPool, type FastaDigests, RecordWarnings } from '@htskit/sequences';
import type { Command } from 'commander';
import { ofFile } from '../../errors.js';
import { STDOUT, writeOutput } from '../../files/write-output.js';
import { checkFastaIndexes } from '../../stored-file/check-fasta-indexes.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { startProgressBar } from '../../terminal/progress.js';
import { charactersOption, withInterrupt } from '../command-line.js';

/** The path that stands for stdin. */
const STDIN = '-';
/** Bytes per read: with the 64 KiB of Node, reading takes longer than digesting. */
const READ_BYTES = 2 ** 20;
const NOTES = `
Prints one line per sequence, in file order: name, length, MD5, sha512t24u (SQ.)
and TRUNC512, separated by tabs. As in refget, the digests are of the upper-case
letters without white space. A sequence that holds anything else, such as the * of
a protein, is reported. --characters sam includes it, so that the MD5 is what
samtools dict writes as M5; strict refuses the file. A truncated file is refused:
one compressed by bgzip without its EOF marker, or one that is shorter than the
.fai or .gzi beside it says.

Examples:
  htskit digest genome.fa.gz
  htskit digest --json a.fa b.fa > digests.json
  htskit digest --characters sam proteins.fa
  zstd -dc genome.fa.zst | htskit digest -

Exit codes: 0, 1 (a file failed; the others are complete), 2 (usage).`;

interface DigestFlags {
  readonly json: boolean;
  readonly characters?: CharacterPolicy;
}

interface DigestTask {
  readonly pool: DigestPool;
  readonly characters: CharacterPolicy;
  readonly signal: AbortSignal;
}

/** Digests of consecutive sequences of a file. */
interface DigestBatch {
  readonly file: string;
  readonly digests: readonly FastaDigests[];
}

/** Adds `htskit digest`. */
export function addDigestCommand(program: Command): void {
  const command = program
    .command('digest')
    .description('compute the refget digests of the sequences of FASTA files')
    .argument('<FASTA...>', 'files, plain or compressed by bgzip or gzip; - is stdin')
    .option('--json', 'print JSON', false)
    .addOption(charactersOption())
    .addHelpText('after', NOTES);
  command.action(async (paths: string[], { json, characters = 'letters' }: DigestFlags) => {
    if (paths.filter((path) => path === STDIN).length > 1) command.error('error: - may be given only once');
    const pool = new DigestPool();
    try {
      await withInterrupt(async (signal) => {
        const batches = digestFiles(paths, { pool, characters, signal });
        await writeOutput(STDOUT, json ? toJson(batches) : toLines(batches), { signal });
      });
    } finally {
      await pool.close();
    }
  });
}

/** Yields the digests of one file after another. A file that fails is reported, and fails the command at its end. */
async function* digestFiles(paths: readonly string[], task: DigestTask): AsyncGenerator<DigestBatch, void> {
  for (const path of paths) {
    try {
      for await (const digests of digestFile(path, task)) yield { file: path, digests };
    } catch (error) {
      if (task.signal.aborted) throw error;
      log('htskit', ofFile(path, error).message);
      process.exitCode = 1;
    }
  }
}

async function* digestFile(
  path: string,
  { pool, characters, signal }: DigestTask,
): AsyncGenerator<readonly FastaDigests[], void> {
  const isStdin = path === STDIN;
  if (!isStdin) await checkFastaIndexes(path);
  const chunks = isStdin
    ? addAbortSignal(signal, process.stdin)
    : createReadStream(path, { signal, highWaterMark: READ_BYTES });
  // On a terminal, the output lines would run into the bar.
  const isVisible = !isStdin && !process.stdout.isTTY;
  const bar = startProgressBar(escapeControls(basename(path)), isVisible ? (await stat(path)).size : 0);
  const warnings = new RecordWarnings({
    characters: characters === 'sam' ? 'sam' : 'letters',
    warn: (message) => log(path, message),
  });
  try {
    const onProgress = ({ bytesRead }: { readonly bytesRead: number }): void => bar.update(bytesRead);
    for await (const batch of pool.digestBatches(chunks, { characters, signal, onProgress })) {
      for (const digests of batch) warnings.add(digests);
      yield batch;
    }
    warnings.finish();
  } finally {
    bar.stop();
  }
}

function log(subject: string, message: string): void {
  process.stderr.write(`${escapeControls(`${subject}: ${message}`)}\n`);
}

/** A write for each line would take longer than its digests. */
async function* toLines(batches: AsyncIterable<DigestBatch>): AsyncGenerator<Uint8Array, void> {
  for await (const { digests } of batches) {
    let lines = '';
    for (const { name, length, md5, sha512t24u, trunc512 } of digests) {
      lines += `${escapeControls(name)}\t${length}\t${md5}\t${sha512t24u}\t${trunc512}\n`;
    }
    yield Buffer.from(lines);
  }
}

/** Formats an array with one object per line. JSON escapes line breaks within an object. */
async function* toJson(batches: AsyncIterable<DigestBatch>): AsyncGenerator<Uint8Array, void> {
  let separator = '[\n';
  for await (const { file, digests } of batches) {
    let objects = '';
    for (const each of digests) {
      objects += `${separator}  ${escapeControls(JSON.stringify({ file, ...each }))}`;
      separator = ',\n';
    }
    yield Buffer.from(objects);
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}
