import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BgzfPool, readEofMarker } from '@htskit/bgzf';
import type { TabixFormat } from '@htskit/indexes';
import { companionPathOf, ENCRYPTED_EXTENSION, isEncryptedPath, plainPathOf } from '@htskit/io/internal';
import { ofFile } from '../../errors.js';
import { checkUnchanged } from '../../files/check-unchanged.js';
import { replaceFile } from '../../files/write-output.js';
import { detectFileKind, type FileKind } from '../../stored-file/file-kind.js';
import { Identity } from '../../stored-file/identity.js';
import { type InputFile, openInput } from '../../stored-file/input-file.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { reportFailure, warn } from '../../terminal/messages.js';
import { startProgressBar } from '../../terminal/progress.js';
import { searchReferences } from '../view/record-target.js';
import { indexExtensions, indexFile } from './index-file.js';
import { checkOutput } from './index-output.js';

/** The options of `htskit index`. */
export interface IndexFlags {
  readonly output?: string;
  readonly csi: boolean;
  readonly minShift?: number;
  readonly preset?: TabixFormat;
  readonly force: boolean;
  /** The files with the secret keys that decrypt the files. */
  readonly identity: readonly string[];
  /** Whether to write the coverage in place of the index. */
  readonly coverage: boolean;
  readonly threads?: number;
}

/** The options of a run and its resources. */
interface IndexTask extends IndexFlags {
  /** The files to index. */
  readonly inputs: readonly string[];
  readonly pool: BgzfPool;
  readonly keys: Identity;
  readonly signal: AbortSignal;
}

/** Indexes the files one after another, prints the paths of the indexes, and returns whether any file failed. */
export async function indexFiles(inputs: readonly string[], flags: IndexFlags, signal: AbortSignal): Promise<boolean> {
  const { threads = 0, coverage } = flags;
  const write = coverage ? writeCoverage : indexOne;
  const pool = new BgzfPool(threads > 0 ? { threads } : {});
  const keys = new Identity(flags.identity);
  let failed = false;
  for (const path of inputs) {
    try {
      for (const written of await write(path, { ...flags, inputs, pool, keys, signal })) {
        process.stdout.write(`${written}\n`);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      reportFailure(ofFile(path, error).message);
      failed = true;
    }
  }
  await pool.close();
  return failed;
}

/** Indexes a file and returns the paths of its indexes. */
async function indexOne(path: string, task: IndexTask): Promise<string[]> {
  const before = await stat(path);
  const input = await openInput(path, task.keys.openDecrypt);
  const kind = await detectFileKind(input);
  if (kind === undefined) throw new Error('cannot index this format: expected BGZF, CRAM or FASTA');
  checkFlags(kind, task);
  const toPath = (extension: string): string => task.output ?? toIndexPath(input, extension);
  const expected = indexExtensions(kind, task).map(toPath);
  if (new Set(expected).size < expected.length) {
    throw new Error('bgzipped FASTA gets a FAI and a GZI, so --output does not apply');
  }
  // Checked before the file is read, which may take long, and again below with the extension that the index really gets.
  await checkOutputs(task, expected);
  const bar = startProgressBar(escapeControls(basename(path)), before.size);
  try {
    const onProgress = (bytesRead: number): void => bar.update(bytesRead);
    const indexes = await indexFile(input.readFromStart(), { ...task, kind, onProgress });
    await checkUnchanged(path, before);
    await checkOutputs(
      task,
      indexes.map(({ extension }) => toPath(extension)),
    );
    task.signal.throwIfAborted();
    for (const { extension, bytes } of indexes) {
      const output = toPath(extension);
      await replaceFile(output, isEncryptedPath(output) ? await task.keys.encrypt(bytes) : bytes);
    }
    if (await lacksEofMarker(input, kind)) {
      warn(`${path}: the EOF marker is missing, so the file may be truncated`);
    }
    return indexes.map(({ extension }) => toPath(extension));
  } finally {
    bar.stop();
  }
}

/** Writes the coverage of a file, and returns its path. */
async function writeCoverage(path: string, task: IndexTask): Promise<string[]> {
  const { size } = await stat(path);
  const input = await openInput(path, task.keys.openDecrypt);
  const kind = await detectFileKind(input);
  if (kind !== 'BAM' && kind !== 'CRAM') {
    throw new Error(`--coverage applies to BAM and CRAM, but the file is ${kind ?? 'something else'}`);
  }
  const [{ coveragePathOf }, { writeCoverageFile }] = await Promise.all([
    import('@htskit/htsget/internal'),
    import('../../coverage/coverage-file.js'),
  ]);
  const output = task.output ?? coveragePathOf(path);
  if (isEncryptedPath(output)) {
    throw new Error('a bigWig is written plain: name it with --output, and encrypt it with htskit encrypt');
  }
  await checkOutput(output, task);
  const bar = startProgressBar(escapeControls(basename(path)), size);
  try {
    const { threads, signal } = task;
    const workers = threads === 0 ? undefined : threads;
    const { read: reference } = searchReferences(undefined, false);
    const onWarning = ({ message }: Error): void => warn(`${path}: ${message}`);
    const onProgress = (share: number): void => bar.update(share * size);
    await writeCoverageFile(input.isEncrypted ? input.open() : path, output, {
      workers,
      reference,
      signal,
      onWarning,
      onProgress,
    });
    return [output];
  } finally {
    bar.stop();
  }
}

/**
 * Returns the path of an index beside its file. Since an index shows where the records are, that of an encrypted file is encrypted, too:
 * `a.bam.bai.c4gh`.
 */
function toIndexPath({ path, isEncrypted }: InputFile, extension: string): string {
  // The name of an encrypted file need not say so.
  return companionPathOf(isEncrypted ? plainPathOf(path) + ENCRYPTED_EXTENSION : path, extension);
}

/** Whether a BGZF file may end too early. CRAM and FASTA without their ends are refused. */
async function lacksEofMarker(input: InputFile, kind: FileKind): Promise<boolean> {
  if (kind !== 'BAM' && kind !== 'BCF' && kind !== 'VCF' && kind !== 'text') return false;
  const source = input.open();
  try {
    const { size } = await source.stat();
    return !(await readEofMarker(source, size));
  } finally {
    await source.close?.();
  }
}

/** Throws Error for a flag that does not apply to files of a kind. */
function checkFlags(kind: FileKind, { csi, minShift, preset }: IndexFlags): void {
  const isText = kind === 'VCF' || kind === 'text';
  if (preset !== undefined && !isText) throw new Error(`--preset applies to bgzipped text, but the file is ${kind}`);
  const hasCsi = isText || kind === 'BAM' || kind === 'BCF';
  if ((csi || minShift !== undefined) && !hasCsi) {
    throw new Error(`--csi and --min-shift do not apply to ${kind}`);
  }
}

async function checkOutputs(task: IndexTask, paths: readonly string[]): Promise<void> {
  for (const path of paths) await checkOutput(path, task);
}
