import { type CharacterPolicy, DigestPool, type FastaDigests, type SequenceCollection } from '@htskit/sequences';
import type { Command } from 'commander';
import { ofFile } from '../../errors.js';
import { STDOUT, writeOutput } from '../../files/write-output.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { charactersOption, withInterrupt } from '../command-line.js';
import { type DigestTask, digestFile, digestFileCollection, log, STDIN } from './digest-file.js';

const NOTES = `
Prints one line per sequence, in file order: name, length, MD5, sha512t24u (SQ.)
and TRUNC512, separated by tabs. As in refget, the digests are of the upper-case
letters without white space. A sequence that holds anything else, such as the * of
a protein, is reported. --characters sam includes it, so that the MD5 is what
samtools dict writes as M5; strict refuses the file. A truncated file is refused:
one compressed by bgzip without its EOF marker, or one that is shorter than the
.fai or .gzi beside it says.

With --collection it prints the sequence collection that each file forms instead:
lines of file, attribute and digest. The first one is the digest of the collection
(level 0), the others are those of its attributes (level 1).

Examples:
  htskit digest genome.fa.gz
  htskit digest --json a.fa b.fa > digests.json
  htskit digest --collection genome.fa.gz
  htskit digest --characters sam proteins.fa
  zstd -dc genome.fa.zst | htskit digest -

Exit codes: 0, 1 (a file failed; the others are complete), 2 (usage).`;

interface DigestFlags {
  readonly json: boolean;
  readonly collection: boolean;
  readonly characters?: CharacterPolicy;
}

/** Results of a file: digests of consecutive sequences, or its collection. */
interface FileResults<Result> {
  readonly file: string;
  readonly results: readonly Result[];
}

/** How results are printed. */
interface ResultFormat<Result> {
  readonly toLines: (result: Result, file: string) => string;
  readonly toJson: (result: Result, file: string) => object;
}

/** Adds `htskit digest`. */
export function addDigestCommand(program: Command): void {
  const command = program
    .command('digest')
    .description('compute the refget digests of the sequences of FASTA files, and of their collections')
    .argument('<FASTA...>', 'files, plain or compressed by bgzip or gzip; - is stdin')
    .option('--collection', 'print the digests of the sequence collection of each file', false)
    .option('--json', 'print JSON', false)
    .addOption(charactersOption())
    .addHelpText('after', NOTES);
  command.action(async (paths: string[], { json, collection, characters = 'letters' }: DigestFlags) => {
    if (paths.filter((path) => path === STDIN).length > 1) command.error('error: - may be given only once');
    const pool = new DigestPool();
    try {
      await withInterrupt(async (signal) => {
        const task = { pool, characters, signal };
        const chunks = collection
          ? formatResults(digestFiles(paths, task, digestCollections), { format: COLLECTIONS, isJson: json })
          : formatResults(digestFiles(paths, task, digestFile), { format: SEQUENCES, isJson: json });
        await writeOutput(STDOUT, chunks, { signal });
      });
    } finally {
      await pool.close();
    }
  });
}

/** Yields the results of one file after another. A file that fails is reported, and fails the command at its end. */
async function* digestFiles<Result>(
  paths: readonly string[],
  task: DigestTask,
  digest: (path: string, task: DigestTask) => AsyncIterable<readonly Result[]>,
): AsyncGenerator<FileResults<Result>, void> {
  for (const path of paths) {
    try {
      for await (const results of digest(path, task)) yield { file: path, results };
    } catch (error) {
      if (task.signal.aborted) throw error;
      log('htskit', ofFile(path, error).message);
      process.exitCode = 1;
    }
  }
}

async function* digestCollections(path: string, task: DigestTask): AsyncGenerator<readonly SequenceCollection[], void> {
  yield [await digestFileCollection(path, task)];
}

const SEQUENCES: ResultFormat<FastaDigests> = {
  toLines: ({ name, length, md5, sha512t24u, trunc512 }) =>
    `${escapeControls(name)}\t${length}\t${md5}\t${sha512t24u}\t${trunc512}\n`,
  toJson: (digests, file) => ({ file, ...digests }),
};

const COLLECTIONS: ResultFormat<SequenceCollection> = {
  toLines: ({ digest, attributes }, file) =>
    [['collection', digest], ...Object.entries(levelOne(attributes))]
      .map(([name, value]) => `${escapeControls(file)}\t${name}\t${value}\n`)
      .join(''),
  toJson: ({ digest, arrays, attributes }, file) => ({
    file,
    digest,
    length: arrays.names.length,
    attributes: levelOne(attributes),
  }),
};

function levelOne(attributes: SequenceCollection['attributes']): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, { digest }]) => [name, digest]));
}

/** Formats lines, or an array of JSON with one object per line. A write for each line would take longer than its digests. */
async function* formatResults<Result>(
  files: AsyncIterable<FileResults<Result>>,
  { format, isJson }: { readonly format: ResultFormat<Result>; readonly isJson: boolean },
): AsyncGenerator<Uint8Array, void> {
  let separator = '[\n';
  for await (const { file, results } of files) {
    let text = '';
    for (const result of results) {
      if (!isJson) {
        text += format.toLines(result, file);
        continue;
      }
      // JSON escapes line breaks within an object.
      text += `${separator}  ${escapeControls(JSON.stringify(format.toJson(result, file)))}`;
      separator = ',\n';
    }
    yield Buffer.from(text);
  }
  if (isJson) yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}
