import { basename } from 'node:path';
import { indexPaths } from '@htskit/catalogue/internal';
import { type Plan, type Precision, streamPlan } from '@htskit/htsget';
import { HtsgetError, type HtsgetFormat, parseHtsgetGet } from '@htskit/protocol';
import { countedSource } from './commands/get/counted-source.js';
import { UsageError } from './errors.js';
import { checkOutput, STDOUT, writeOutput } from './files/write-output.js';
import { type OpenFile, openStoredFile } from './stored-file/open-stored-file.js';
import { type FileQuery, planStoredFile, type RecordSelection, resolveQuery } from './stored-file/plan-stored-file.js';
import { escapeControls } from './terminal/escape-controls.js';
import { startProgressBar } from './terminal/progress.js';

/** What records keep, as it is written on a command line: names with commas between them. */
export interface WrittenSelection {
  readonly fields?: string | undefined;
  readonly tags?: string | undefined;
  readonly notags?: string | undefined;
}

export interface GetFileOptions extends FileQuery {
  /** By default all of each record. */
  readonly selection?: RecordSelection | undefined;
  readonly precision: Precision;
  /** As of `streamPlan`. */
  readonly compressionLevel?: number | undefined;
  /** A path, or `STDOUT`. */
  readonly output: string;
  /** Show how far it is, where the error stream is a terminal. */
  readonly showsProgress: boolean;
  readonly signal: AbortSignal;
}

/** What was written. */
export interface GetOutcome {
  readonly format: HtsgetFormat;
  /** Undefined where the reader of a pipe went away. */
  readonly byteLength: number | undefined;
}

/** Reads a selection by the rules of the protocol. Throws UsageError for one that breaks them. */
export function parseSelection(written: WrittenSelection): RecordSelection {
  const parameters = new URLSearchParams();
  for (const [name, names] of Object.entries<string | undefined>({ ...written })) {
    if (names !== undefined) parameters.set(name, names);
  }
  try {
    const { fields, tags, notags } = parseHtsgetGet('reads', parameters);
    return {
      ...(fields !== undefined && { fields }),
      ...(tags !== undefined && { tags }),
      ...(notags !== undefined && { notags }),
    };
  } catch (error) {
    throw error instanceof HtsgetError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/**
 * Writes the header and some records of a local file as a complete file of their own. Throws UsageError for what the file
 * cannot be asked for, Error where the output is not to be written, and what planning, reading and writing throw.
 */
export async function getFile(path: string, { signal, ...options }: GetFileOptions): Promise<GetOutcome> {
  const open = await openStoredFile(path);
  try {
    const { format } = open.stored;
    checkSelection(format, options.selection);
    checkTerminal(options.format ?? format, options.output);
    await checkOutput(options.output, [path, ...indexPaths(path, format)]);
    const plan = await planFile(open, options, signal);
    return { format: plan.format, byteLength: await writePlan(plan, open, { ...options, path, signal }) };
  } finally {
    await open.close();
  }
}

/** Throws UsageError for a selection that would have no effect: whoever asks for one does not want more than it. */
function checkSelection(format: OpenFile['stored']['format'], { fields, tags, notags }: RecordSelection = {}): void {
  if (format === 'CRAM' && (fields ?? tags ?? notags) !== undefined) {
    throw new UsageError('CRAM is cut in whole containers, whose records stay as they are: no fields, tags or notags');
  }
  if ((format === 'VCF' || format === 'BCF') && fields !== undefined) {
    throw new UsageError(
      `fields are of BAM, and the file is ${format}: choose among INFO and FORMAT keys by tags or notags`,
    );
  }
}

/** Throws UsageError for bytes that are nothing for a terminal. */
export function checkTerminal(format: HtsgetFormat, output: string): void {
  if (output !== STDOUT || !process.stdout.isTTY || format === 'VCFTEXT') return;
  throw new UsageError(`${format} is nothing for a terminal: write it to a file with --output, or to a pipe`);
}

async function planFile(
  open: OpenFile,
  { selection, precision, ...question }: Omit<GetFileOptions, 'signal'>,
  signal: AbortSignal,
): Promise<Plan> {
  const { query, index } = await resolveQuery(open, question, { signal });
  // Without an index the planner answers with more than the unplaced reads, unless it must not.
  const isRestricted = precision === 'exact' && index === undefined;
  return planStoredFile(open, { query: { ...query, ...selection }, index, precision, isRestricted });
}

async function writePlan(
  plan: Plan,
  { stored: { data }, stat }: OpenFile,
  { path, output, showsProgress, compressionLevel, signal }: GetFileOptions & { readonly path: string },
): Promise<number | undefined> {
  // Text on the same terminal would run into it.
  const isVisible = showsProgress && !(output === STDOUT && process.stdout.isTTY);
  const bar = startProgressBar(escapeControls(basename(path)), isVisible ? countStoredBytes(plan) : 0);
  const source = countedSource(data, (bytesRead) => bar.update(bytesRead));
  try {
    const chunks = streamPlan(plan, source, { signal, version: stat.version, compressionLevel });
    return await writeOutput(output, chunks, { signal });
  } finally {
    bar.stop();
  }
}

/** Bytes of the file that a plan reads, but for the ends of last blocks. */
function countStoredBytes({ segments }: Plan): number {
  let byteLength = 0;
  for (const segment of segments) {
    if (segment.kind === 'range') byteLength += segment.end - segment.start;
    if (segment.kind === 'cut') byteLength += segment.end.coffset - segment.start.coffset;
  }
  return byteLength;
}
