import { deflateStream, inflateStream, readBlock } from '@htskit/bgzf';
import {
  DEFAULT_LIMITS,
  type Plan,
  type Precision,
  planBgzf,
  planCram,
  type Segment,
  type StoredFormat,
  splitLongSegments,
  streamPlan,
} from '@htskit/htsget';
import type { BinningIndex, CraiIndex } from '@htskit/indexes';
import { type HtsgetFormat, type HtsgetRegion, UNPLACED } from '@htskit/protocol';
import type { ByteSource } from '@htskit/storage';
import { type OpenFile, openStoredFile } from './open-stored-file.js';
import { parseRegion } from './parse-region.js';

export interface ExplainOptions {
  /** As `REGION_FORMS` says; none for the whole file. */
  readonly regions: readonly string[];
  /** By default that of the file. */
  readonly format?: HtsgetFormat | undefined;
  readonly isHeaderOnly: boolean;
}

export interface ExplainFileOptions extends ExplainOptions {
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

type Index = BinningIndex | CraiIndex;

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
  { regions: texts, format, isHeaderOnly, precision }: ExplainFileOptions,
): Promise<FileExplanation> {
  const { stored, file, size, indexPath } = open;
  const answered = answeredFormat(stored.format, format);
  const index = isHeaderOnly || texts.length === 0 ? undefined : await open.readIndex();
  const isReference = knownReferences(file, index);
  const regions = texts.map((text) => parseRegion(text, isReference));
  const query: Query = {
    format: answered,
    ...(isHeaderOnly ? { class: 'header' } : regions.length > 0 && { regions }),
  };
  checkReferences(query, isReference);
  const plan = createPlan(open, { query, index, precision });
  const { blockBytes } = DEFAULT_LIMITS;
  const split = await splitLongSegments(plan.segments, stored.data, { blockBytes });
  const segments = await Promise.all(split.map((segment) => explainSegment(segment, stored.data)));
  const plannedBytes = countCoveredBytes(segments);
  const minimal = createPlan(open, { query, index, precision: 'exact' });
  return {
    source: path,
    format: plan.format,
    precision,
    ...(index !== undefined && { index: indexPath ?? 'built' }),
    ...(query.regions !== undefined && { regions: query.regions }),
    segments,
    fileBytes: size,
    plannedBytes,
    inlineBytes: segments.reduce((sum, { kind, bytes }) => sum + (kind === 'inline' ? bytes : 0), 0),
    ...(plannedBytes <= MEASURED_BYTES && (await measure({ plan, minimal }, stored.data))),
  };
}

/** Whether a name is that of a reference; undefined where any may be, as in a VCF with neither contigs nor an index. */
function knownReferences(
  { format, header: { referenceIds } }: OpenFile['file'],
  index: Index | undefined,
): ((name: string) => boolean) | undefined {
  if (format !== 'VCF') return (name) => referenceIds.has(name);
  const binning = index !== undefined && 'chunks' in index ? index : undefined;
  if (binning === undefined && referenceIds.size === 0) return undefined;
  return (name) => referenceIds.has(name) || binning?.referenceId(name) !== undefined;
}

/** Throws Error for a reference that the file does not have. The planner's own error does not name it. */
function checkReferences({ regions = [] }: Query, isReference: ((name: string) => boolean) | undefined): void {
  for (const { referenceName: name } of regions) {
    if (name === UNPLACED || isReference?.(name) !== false) continue;
    throw new Error(`the file has no reference "${name}"`);
  }
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

interface Query {
  readonly format: HtsgetFormat;
  readonly class?: 'header';
  readonly regions?: readonly HtsgetRegion[];
}

function answeredFormat(stored: StoredFormat, asked: HtsgetFormat = stored): HtsgetFormat {
  if (asked === stored || (asked === 'VCFTEXT' && stored === 'VCF')) return asked;
  throw new Error(`the file is ${stored}, which ${asked} is not made from`);
}

interface PlanInput {
  readonly query: Query;
  readonly index: Index | undefined;
  readonly precision: Precision;
}

function createPlan({ file }: OpenFile, { query, index, precision }: PlanInput): Plan {
  const { blockBytes, exactBytes, inlineBytes } = DEFAULT_LIMITS;
  if (file.format === 'CRAM') {
    const crai = index !== undefined && 'containers' in index ? index : undefined;
    return planCram({ file, index: crai, query, inlineBytes, blockBytes });
  }
  const binning = index !== undefined && 'chunks' in index ? index : undefined;
  return planBgzf({ file, index: binning, query, format: query.format, precision, exactBytes, inlineBytes });
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
