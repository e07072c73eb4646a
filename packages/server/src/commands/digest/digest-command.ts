import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { DigestPool, type FastaDigests } from '@htskit/sequences';
import type { Command } from 'commander';
import { ofFile } from '../../errors.js';
import { STDOUT, writeOutput } from '../../files/write-output.js';
import { checkFastaIndexes } from '../../stored-file/check-fasta-indexes.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { startProgressBar } from '../../terminal/progress.js';
import { withInterrupt } from '../command-line.js';

/** The path that stands for stdin. */
const STDIN = '-';
const NOTES = `
Prints one line per sequence, in file order: name, length, MD5, sha512t24u (SQ.)
and TRUNC512, separated by tabs. As in refget, the digests are of the upper-case
letters without white space. The MD5 is the M5 of SAM headers. A truncated file is
refused: one compressed by bgzip without its EOF marker, or one that is shorter
than the .fai or .gzi beside it says.

Examples:
  htskit digest genome.fa.gz
  htskit digest --json a.fa b.fa > digests.json
  zstd -dc genome.fa.zst | htskit digest -

Exit codes: 0, 1 (a file failed; the files before it are complete), 2 (usage).`;

interface DigestTask {
  readonly pool: DigestPool;
  readonly signal: AbortSignal;
}

/** The digests of a sequence, with its file. */
interface FileDigests extends FastaDigests {
  readonly file: string;
}

/** Adds `htskit digest`. */
export function addDigestCommand(program: Command): void {
  const command = program
    .command('digest')
    .description('compute the refget digests of the sequences of FASTA files')
    .argument('<FASTA...>', 'files, plain or compressed by bgzip or gzip; - is stdin')
    .option('--json', 'print JSON', false)
    .addHelpText('after', NOTES);
  command.action(async (paths: string[], { json }: { readonly json: boolean }) => {
    if (paths.filter((path) => path === STDIN).length > 1) command.error('error: - may be given only once');
    const pool = new DigestPool();
    try {
      await withInterrupt(async (signal) => {
        const digests = digestFiles(paths, { pool, signal });
        await writeOutput(STDOUT, json ? toJson(digests) : toLines(digests), { signal });
      });
    } finally {
      await pool.close();
    }
  });
}

/** Yields the digests of one file after another. Throws Error with the path of a file that fails. */
async function* digestFiles(paths: readonly string[], task: DigestTask): AsyncGenerator<FileDigests, void> {
  for (const path of paths) {
    try {
      for await (const digests of digestFile(path, task)) yield { file: path, ...digests };
    } catch (error) {
      throw ofFile(path, error);
    }
  }
}

async function* digestFile(path: string, { pool, signal }: DigestTask): AsyncGenerator<FastaDigests, void> {
  const isStdin = path === STDIN;
  if (!isStdin) await checkFastaIndexes(path);
  const chunks = isStdin ? addAbortSignal(signal, process.stdin) : createReadStream(path, { signal });
  // On a terminal, the output lines would run into the bar.
  const isVisible = !isStdin && !process.stdout.isTTY;
  const bar = startProgressBar(escapeControls(basename(path)), isVisible ? (await stat(path)).size : 0);
  try {
    yield* pool.digestFasta(chunks, { signal, onProgress: ({ bytesRead }) => bar.update(bytesRead) });
  } finally {
    bar.stop();
  }
}

async function* toLines(digests: AsyncIterable<FileDigests>): AsyncGenerator<Uint8Array, void> {
  for await (const { name, length, md5, sha512t24u, trunc512 } of digests) {
    yield Buffer.from(`${[escapeControls(name), length, md5, sha512t24u, trunc512].join('\t')}\n`);
  }
}

/** Formats an array with one object per line. JSON escapes line breaks within an object. */
async function* toJson(digests: AsyncIterable<FileDigests>): AsyncGenerator<Uint8Array, void> {
  let separator = '[\n';
  for await (const each of digests) {
    yield Buffer.from(`${separator}  ${escapeControls(JSON.stringify(each))}`);
    separator = ',\n';
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}
