import type { CharacterPolicy } from '@htskit/sequences';
import { DigestPool, type FastaDigests, type SequenceCollection } from '@htskit/sequences';
import { ofFile } from '../../errors.js';
import { STDOUT } from '../../files/standard-streams.js';
import { writeOutput } from '../../files/write-output.js';
import { Identity } from '../../stored-file/identity.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { type DigestTask, digestFile, digestFileCollection, log } from './digest-file.js';

/** The options of `htskit digest`. */
export interface DigestFlags {
  readonly json: boolean;
  readonly collection: boolean;
  readonly characters?: CharacterPolicy;
  /** The files with the secret keys that decrypt encrypted files. */
  readonly identity: readonly string[];
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

/** Prints the digests of files. A file that fails is reported, and the process then exits with 1. */
export async function printDigests(
  paths: readonly string[],
  { json: isJson, collection, characters = 'letters', identity }: DigestFlags,
  signal: AbortSignal,
): Promise<void> {
  const pool = new DigestPool();
  try {
    const task = { pool, characters, openIdentity: new Identity(identity).openDecrypt, signal };
    const chunks = collection
      ? formatResults(digestFiles(paths, task, digestCollections), { format: COLLECTIONS, isJson })
      : formatResults(digestFiles(paths, task, digestFile), { format: SEQUENCES, isJson });
    await writeOutput(STDOUT, chunks, { signal });
  } finally {
    await pool.close();
  }
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
