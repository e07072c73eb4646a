import { deflateStream, inflateStream, readBlock } from '@htskit/bgzf';
import { DEFAULT_LIMITS, type Plan, type Precision, type Segment, splitLongSegments, streamPlan } from '@htskit/htsget';
import type { ByteSource } from '@htskit/io';
import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import { asBinning, type OpenFile, openStoredFile } from '../stored-file/open-stored-file.js';
import { type FileQuery, planStoredFile, resolveQuery } from '../stored-file/plan-stored-file.js';

export interface ExplainFileOptions extends FileQuery {
  readonly precision: Precision;
}

/** A segment of a plan, and what it takes of the file. */
export interface ExplainedSegment {
  readonly kind: Segment['kind'];
  readonly class: Segment['class'];
  /** Bytes [byteStart, byteEnd) of the file that hold it, whole blocks; none for what is sent inline. */
  readonly byteStart?: number;
  readonly byteEnd?: number;
  /** Of the file, or inline. */
  readonly bytes: number;
  /** The regions whose records are kept; none where all are. */
  readonly filteredTo?: readonly HtsgetRegion[];
}

/** How a query of a local file is answered. */
export interface FileExplanation {
  readonly source: string;
  readonly format: HtsgetFormat;
  readonly precision: Precision;
  /** The path of the index; `built` for one that was made on demand. */
  readonly index?: string;
  readonly regions?: readonly HtsgetRegion[];
  readonly segments: readonly ExplainedSegment[];
  readonly fileBytes: number;
  /** Bytes of the file that the answer is made from, each once: cuts may share a block. */
  readonly plannedBytes: number;
  readonly inlineBytes: number;
  /** Of the whole answer, where it is short enough to be made for that. */
  readonly answerBytes?: number;
  /** Of a file that holds nothing but the header and the records of the regions, if it is BGZF. */
  readonly minimalBytes?: number;
}

/** Answers of more bytes of the file are not made just to be measured. */
const MEASURED_BYTES = DEFAULT_LIMITS.exactBytes;

/**
 * Explains how a server with default limits answers a query of a file. Throws RegionError, Error for a reference or a format
 * that the file does not have, `HtsgetError` for what else the planner refuses, and what reading the file throws.
 */
export async function explainFile(path: string, options: ExplainFileOptions): Promise<FileExplanation> {
  const open = await openStoredFile(path);
  try {
    return await explainOpenFile(path, open, options);
  } finally {
    await open.close();
  }
}

async function explainOpenFile(
  path: string,
  open: OpenFile,
  { precision, ...question }: ExplainFileOptions,
): Promise<FileExplanation> {
  const { stored, stat, indexPath } = open;
  const { query, index } = await resolveQuery(open, question);
  const plan = planStoredFile(open, { query, index, precision });
  const { blockBytes } = DEFAULT_LIMITS;
  const split = await splitLongSegments(plan.segments, stored.data, { ...plan, blockBytes, index: asBinning(index) });
  const segments = await Promise.all(split.map((segment) => explainSegment(segment, stored.data)));
  const plannedBytes = countCoveredBytes(segments);
  const minimal = planStoredFile(open, { query, index, precision: 'exact' });
  return {
    source: path,
    format: plan.format,
    precision,
    ...(index !== undefined && { index: indexPath ?? 'built' }),
    ...(query.regions !== undefined && { regions: query.regions }),
    segments,
    fileBytes: stat.size,
    plannedBytes,
    inlineBytes: segments.reduce((sum, { kind, bytes }) => sum + (kind === 'inline' ? bytes : 0), 0),
    ...(plannedBytes <= MEASURED_BYTES && (await measure({ plan, minimal }, stored.data))),
  };
}

/** What an answer comes to, and what is the least that its records take. */
async function measure(
  { plan, minimal }: { readonly plan: Plan; readonly minimal: Plan },
  source: ByteSource,
): Promise<Pick<FileExplanation, 'answerBytes' | 'minimalBytes'>> {
  const answerBytes = await countBytes(streamPlan(plan, source));
  if (plan.format === 'CRAM' || plan.format === 'VCFTEXT') return { answerBytes };
  return { answerBytes, minimalBytes: await countBytes(deflateStream(dataOf(streamPlan(minimal, source)))) };
}

async function explainSegment(segment: Segment, source: ByteSource): Promise<ExplainedSegment> {
  const { kind } = segment;
  if (kind === 'inline') return { kind, class: segment.class, bytes: segment.bytes.length };
  const { byteStart, byteEnd } =
    kind === 'range' ? { byteStart: segment.start, byteEnd: segment.end } : await blockRange(segment, source);
  const filteredTo =
    kind === 'cut'
      ? segment.intervals?.map(({ referenceName, start, end }) => toRegion(referenceName, start, end))
      : undefined;
  return {
    kind,
    class: segment.class,
    byteStart,
    byteEnd,
    bytes: byteEnd - byteStart,
    ...(filteredTo !== undefined && { filteredTo }),
  };
}

/** The whole blocks that a cut lies in. */
async function blockRange(
  { start, end }: Extract<Segment, { kind: 'cut' }>,
  source: ByteSource,
): Promise<{ readonly byteStart: number; readonly byteEnd: number }> {
  const last = end.uoffset === 0 ? undefined : await readBlock(source, end.coffset);
  return { byteStart: start.coffset, byteEnd: end.coffset + (last?.bytes.length ?? 0) };
}

/** An interval that goes as far as numbers do has no end. */
function toRegion(referenceName: string, start: number, end: number): HtsgetRegion {
  return { referenceName, start, ...(end < Number.MAX_SAFE_INTEGER && { end }) };
}

/** Bytes of the file that some segment takes. */
function countCoveredBytes(segments: readonly ExplainedSegment[]): number {
  const ranges = segments.map(({ byteStart = 0, byteEnd = 0 }) => ({ byteStart, byteEnd }));
  let bytes = 0;
  let covered = 0;
  for (const { byteStart, byteEnd } of ranges.sort((a, b) => a.byteStart - b.byteStart)) {
    bytes += Math.max(0, byteEnd - Math.max(byteStart, covered));
    covered = Math.max(covered, byteEnd);
  }
  return bytes;
}

async function* dataOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const { data } of inflateStream(chunks)) yield data;
}

async function countBytes(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}
