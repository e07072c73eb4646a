import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Region } from '@htskit/records';
import type { Command } from 'commander';
import { ofFile, ofUrl, UsageError } from '../../errors.js';
import { checkOutput, checkTerminal, isGarbledByProgress, writeOutput } from '../../files/write-output.js';
import { parseRegion } from '../../stored-file/parse-region.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatCount } from '../../terminal/format-count.js';
import { startProgressLine } from '../../terminal/progress.js';
import { isUrlTarget, readIntervals, withInterrupt } from '../command-line.js';
import type { KeptSamples } from './kept-samples.js';
import type { OpenRecords } from './open-records.js';
import {
  formatOfOutput,
  isAlignments,
  isTable,
  isText,
  type RequestedFormat,
  resolveFormat,
  type ViewedFile,
} from './output-format.js';
import { openRecordTarget, RECORD_TARGET, searchReferences } from './record-target.js';
import { addViewOptions, checkViewOptions, partOf, selectionOf, type ViewFlags } from './view-options.js';

const NOTES = `
Reads are printed as SAM without the header, as by samtools view; variants as VCF
with it, as by bcftools view. The options -h, -H, -q, -f, -F, -r, -s, -S and -I
mean what they mean to samtools view for reads, and to bcftools view for variants, or
are refused.
-c always counts, and -O takes the letters of bcftools, too. Without -O and -b, the
name of the output decides its format: .sam, .sam.gz, .bam, .vcf, .vcf.gz, .vcf.bgz,
.bcf, .arrow, .arrows or .parquet; other names get text, and .cram is refused. Arrow
and Parquet are tables of reads, or of variants without their samples, with columns for
--tags; -O arrow is a stream of Arrow IPC, unless the name of the output is .arrow. Of
several regions, each record is printed once, in the order of the file. Regions of a
local file without an index are found by reading all of it. A URL whose path ends with .bam, .cram, .bcf, .vcf.gz or
.vcf.bgz is a file on a server with range requests; other URLs are tickets of an
htsget service. A bearer token is read from --token-file or HTSKIT_TOKEN.

CRAM finds its bases as with samtools: by -T, by REF_CACHE and REF_PATH, which has
no default, and by UR of the header if the file is local.

Examples:
  htskit view reads.bam chr1:1M-2M
  htskit view reads.cram chr1 -T genome.fa -o chr1.bam
  htskit view reads.bam -c -q 30 -F UNMAP,SECONDARY
  htskit view variants.bcf chr1 --tags DP,AF -o variants.parquet
  htskit view cohort.vcf.gz chr1:1M-2M -s NA12878,NA12891 -o two.bcf
  htskit view https://data.example.org/variants.vcf.gz -L genes.bed
  htskit view -c https://data.example.org/reads/NA12878 chr1:1,000-2,000

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit view`. */
export function addViewCommand(program: Command): void {
  const viewing = program
    .command('view')
    .description('print or convert the records of a file, or of an htsget service')
    .argument('<FILE|URL>', 'a BAM, CRAM, bgzipped VCF or BCF file, its URL, or the ticket URL of an htsget service');
  const command = addViewOptions(viewing).addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: ViewFlags) => {
    const isUrl = isUrlTarget(target, command, RECORD_TARGET);
    try {
      await withInterrupt((signal) => view({ target, isUrl, regions, flags, signal }));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

interface ViewTask {
  readonly target: string;
  readonly isUrl: boolean;
  readonly regions: readonly string[];
  readonly flags: ViewFlags;
  readonly signal: AbortSignal;
}

async function view(task: ViewTask): Promise<void> {
  const { target, isUrl, regions, flags, signal } = task;
  const { regionsFile, reference, output, binary, outputFormat, threads: workers = 0 } = flags;
  if (flags.count && /^\d+$/.test(target) && regions.length > 0 && !existsSync(target)) {
    throw new UsageError('-c counts records and takes no value; for bcftools view -c, pipe the output to it');
  }
  // What cannot be written is an error before anything is read.
  const named = formatOfOutput(output);
  const requested = binary ? { format: 'binary' as const } : (outputFormat ?? (named && { format: named }));
  const intervals = await readIntervals(regions, regionsFile);
  const bases = searchReferences(reference, isUrl);
  await withPath(target, checkOutput(output, isUrl ? [] : [target]));
  const opened = await withPath(
    target,
    openRecordTarget({ target, isUrl, flags, reference: bases.read, workers, signal }),
  );
  try {
    checkViewOptions(opened.file, flags);
    // A location that cannot be opened is an error even if no bases are needed.
    if (reference !== undefined) await withPath(reference, bases.open());
    await withPath(target, viewOpened(opened, task, { intervals, requested }));
  } finally {
    await opened.file.close();
  }
}

/** Adds the path of a file to an error. URLs are left out, since they may hold a secret. */
async function withPath<T>(location: string, result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw /^[a-z]+:\/\//i.test(location) ? ofUrl(location, error) : ofFile(location, error);
  });
}

interface ViewSettings {
  /** The intervals of a BED file. */
  readonly intervals: readonly Region[] | undefined;
  readonly requested: RequestedFormat | undefined;
}

/** Prints records, a header or a count. */
async function viewOpened(opened: OpenRecords, task: ViewTask, settings: ViewSettings): Promise<void> {
  const { intervals, requested } = settings;
  const { target, isUrl, flags, signal } = task;
  const { output, threads } = flags;
  const { file } = opened;
  const regions = intervals ?? selectRegions(opened, task);
  const reading = { signal, scan: !isUrl, skipUnknown: intervals !== undefined };
  const selection = selectionOf(file, flags);
  const all = file.recordBytes(regions, reading);
  const { countReads, filterReads } = await import('./read-filter.js');
  const samples = await chooseSamples(file, flags);
  const records = selection === undefined ? (samples?.select(all) ?? all) : filterReads(all, selection);
  if (flags.count) {
    const count = selection === undefined ? file.count(regions, reading) : countReads(records);
    const line = `${await counting(target, count)}\n`;
    await writeOutput(output, once(new TextEncoder().encode(line)), { signal });
    return;
  }
  const format = resolveFormat(file, requested?.format);
  if (!isText(format)) checkTerminal(format.toUpperCase(), output);
  const part = partOf(file, flags);
  const tags = flags.tags.flatMap((list) => list.split(','));
  if (tags.length > 0 && !isTable(format)) throw new UsageError('--tags chooses columns of Arrow and Parquet');
  const hasHeader = part === 'header' || flags.withHeader || flags.h;
  const chunks = isTable(format)
    ? (await import('./table/table-output.js')).writeTable(records, { file, format, hasHeader, tags, output })
    : (await import('./record-output.js')).writeRecords(records, {
        file,
        samples,
        format,
        part,
        level: requested?.level,
        threads,
        signal,
      });
  await writeOutput(output, withProgress(chunks, { target, isVisible: !isGarbledByProgress(output) }), { signal });
}

async function chooseSamples(file: ViewedFile, flags: ViewFlags): Promise<KeptSamples | undefined> {
  if (isAlignments(file)) return undefined;
  const { keepSamples } = await import('./kept-samples.js');
  return keepSamples(file, flags);
}

/** Returns the regions of the command line, or else those of the URL; undefined for all records. */
function selectRegions(
  { file, regions: ofUrl }: OpenRecords,
  { regions, flags }: ViewTask,
): readonly Region[] | undefined {
  const lists = isAlignments(file) ? [] : flags.r;
  const texts = [...regions, ...lists.flatMap((list) => list.split(','))];
  if (texts.length === 0) return ofUrl;
  const names = new Set(file.references.map(({ name }) => name));
  // A VCF file need not declare its contigs.
  const isReference = names.size === 0 && !isAlignments(file) ? undefined : (name: string) => names.has(name);
  return texts.map((text) => parseRegion(text, isReference));
}

/** Shows how long a count takes. */
async function counting(target: string, count: Promise<number>): Promise<number> {
  const name = nameOf(target);
  const progress = startProgressLine((seconds) => `counting the records of ${name}, ${Math.floor(seconds)} s`);
  return count.finally(progress.stop);
}

/** Shows how much has been written. */
async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  { target, isVisible }: { readonly target: string; readonly isVisible: boolean },
): AsyncGenerator<Uint8Array, void> {
  const name = nameOf(target);
  let bytes = 0;
  const describe = (seconds: number): string =>
    `${name}: ${formatCount(Math.round(bytes / 1e6))} MB written, ${Math.floor(seconds)} s`;
  const progress = startProgressLine(describe, isVisible);
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    progress.stop();
  }
}

/** Returns the last part of a path or URL, without the query, which may hold a secret. */
function nameOf(target: string): string {
  return escapeControls(basename(target.replace(/[?#].*$/s, '')));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
