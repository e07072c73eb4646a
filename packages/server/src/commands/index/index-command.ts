import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BgzfPool } from '@htskit/bgzf';
import type { TabixFormat } from '@htskit/indexes';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ofFile } from '../../errors.js';
import { detectFileKind, type FileKind } from '../../file-kind.js';
import { replaceFile } from '../../files/replace-file.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { startProgressBar } from '../../terminal/progress.js';
import { withInterrupt } from '../command-line.js';
import { indexExtensions, indexFile } from './index-file.js';
import { checkOutput } from './index-output.js';

interface IndexFlags {
  readonly output?: string;
  readonly csi: boolean;
  readonly minShift?: number;
  readonly preset?: TabixFormat;
  readonly force: boolean;
}

/** What is asked for, and what it takes. */
interface IndexTask extends IndexFlags {
  /** All files to index. */
  readonly inputs: readonly string[];
  readonly pool: BgzfPool;
  readonly signal: AbortSignal;
}

const PRESETS: readonly TabixFormat[] = ['gff', 'bed', 'sam', 'vcf'];
const MAX_MIN_SHIFT = 30;

const NOTES = `
A BAI of BAM, a CRAI of CRAM, a CSI of BCF, a TBI of VCF, and a FAI of FASTA,
with a GZI where that is bgzipped. The paths of indexes are printed on stdout.

Examples:
  htskit index reads.bam variants.vcf.gz
  htskit index --preset gff --csi genes.gff.gz -o genes.csi

Exit codes: 0, 1 (a file could not be indexed; the others were), 2 (usage).`;

/** Adds `htskit index`, which fails after all files if any of them did. */
export function addIndexCommand(program: Command): void {
  const command = program
    .command('index')
    .description('index BAM, CRAM, BCF, bgzipped VCF and other text, and FASTA files, beside them')
    .argument('<FILE...>', 'files to index; what they hold is found out')
    .option('-o, --output <file>', 'where the index of a single file goes (default: beside it)', parseOutput)
    .option('--csi', 'CSI where BAI or TBI would do', false)
    .option('--min-shift <bits>', 'CSI whose smallest bins span 2^bits bases', parseMinShift)
    .addOption(
      new Option('--preset <format>', 'how to read the lines of bgzipped text that is not VCF').choices(PRESETS),
    )
    .option('-f, --force', 'overwrite an index', false)
    .addHelpText('after', NOTES);
  command.action(async (paths: string[], flags: IndexFlags) => {
    if (flags.output !== undefined && paths.length > 1) command.error('error: --output goes with a single file');
    const pool = new BgzfPool();
    const failed = await withInterrupt((signal) => indexFiles({ ...flags, inputs: paths, pool, signal }));
    await pool.close();
    if (failed) process.exitCode = 1;
  });
}

function parseOutput(path: string): string {
  if (path !== '' && path !== '-') return path;
  throw new InvalidArgumentError('it is the name of a file: ./- for one that is called -.');
}

function parseMinShift(text: string): number {
  const shift = Number(text);
  if (/^\d+$/.test(text) && shift >= 1 && shift <= MAX_MIN_SHIFT) return shift;
  throw new InvalidArgumentError(`it is a number from 1 to ${MAX_MIN_SHIFT}.`);
}

/** Indexes one file after another, says what it wrote, and whether any failed. */
async function indexFiles(task: IndexTask): Promise<boolean> {
  let failed = false;
  for (const path of task.inputs) {
    try {
      for (const written of await indexOne(path, task)) process.stdout.write(`${written}\n`);
    } catch (error) {
      if (task.signal.aborted) throw error;
      process.stderr.write(`htskit: ${escapeControls(ofFile(path, error).message)}\n`);
      failed = true;
    }
  }
  return failed;
}

/** Indexes a file and returns what it wrote. */
async function indexOne(path: string, task: IndexTask): Promise<string[]> {
  const { size } = await stat(path);
  const kind = await detectFileKind(path);
  if (kind === undefined) throw new Error('neither BGZF, CRAM nor FASTA, so there is no index for it');
  checkFlags(kind, task);
  const toPath = (extension: string): string => task.output ?? path + extension;
  const expected = indexExtensions(kind, task).map(toPath);
  if (new Set(expected).size < expected.length) {
    throw new Error('it gets a FAI and a GZI: --output is no place for both');
  }
  // Before it is read, which may take long, and again for the name that its index turns out to have.
  await checkOutputs(task, expected);
  const bar = startProgressBar(escapeControls(basename(path)), size);
  try {
    const indexes = await indexFile(path, { ...task, kind, onProgress: (bytesRead) => bar.update(bytesRead) });
    await checkOutputs(
      task,
      indexes.map(({ extension }) => toPath(extension)),
    );
    task.signal.throwIfAborted();
    for (const { extension, bytes } of indexes) await replaceFile(toPath(extension), bytes);
    return indexes.map(({ extension }) => toPath(extension));
  } finally {
    bar.stop();
  }
}

/** Throws Error for a flag that says nothing about files of a kind. */
function checkFlags(kind: FileKind, { csi, minShift, preset }: IndexFlags): void {
  const isText = kind === 'VCF' || kind === 'text';
  if (preset !== undefined && !isText) throw new Error(`it is ${kind}: --preset is for bgzipped text`);
  const hasCsi = isText || kind === 'BAM' || kind === 'BCF';
  if ((csi || minShift !== undefined) && !hasCsi) {
    throw new Error(`it is ${kind}, which has no CSI: --csi and --min-shift are not for it`);
  }
}

async function checkOutputs(task: IndexTask, paths: readonly string[]): Promise<void> {
  for (const path of paths) await checkOutput(path, task);
}
