import { basename } from 'node:path';
import { deflateStream, inflateStream } from '@htskit/bgzf';
import { readBlock } from '@htskit/bgzf/internal';
import {
  DEFAULT_LIMITS,
  type Plan,
  type PlanFileOptions,
  type Precision,
  planFile,
  type Segment,
  type StoredFormat,
  type StreamPlanOptions,
  streamPlan,
} from '@htskit/htsget';
import type { BorrowedBytes, ByteSource } from '@htskit/io';
import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import {
  type FileQuery,
  type OpenFile,
  type OpenStoredFileOptions,
  openStoredFile,
  resolveQuery,
} from '../../stored-file/open-stored-file.js';
import { openReferenceSearch } from '../../stored-file/reference-search.js';

export interface ExplainFileOptions extends FileQuery, Pick<OpenStoredFileOptions, 'openIdentity'> {
  readonly precision: Precision;
  /** See `GetFileOptions`. */
  readonly reference?: string;
}

/** A segment of a plan and the part of the file that it needs. */
export interface ExplainedSegment {
  /** A cut whose records are converted to another format is `convert`. */
  readonly kind: Segment['kind'] | 'convert';
  readonly class: Segment['class'];
  /** Bytes [byteStart, byteEnd) of the file, in whole blocks. Undefined for an inline segment. */
  readonly byteStart?: number;
  readonly byteEnd?: number;
  /** Number of bytes of the file, or of an inline segment. */
  readonly bytes: number;
  /** The regions whose records are kept. Undefined if all records are kept. */
  readonly filteredTo?: readonly HtsgetRegion[];
}

/** How a query of a local file is answered. */
export interface FileExplanation {
  readonly source: string;
  readonly format: HtsgetFormat;
  readonly precision: Precision;
  /** Path of the index, or `built` for an index that was built on demand. */
  readonly index?: string;
  readonly regions?: readonly HtsgetRegion[];
  /** Why the file may be truncated, if it lacks its end marker. */
  readonly warning?: string;
  readonly segments: readonly ExplainedSegment[];
  readonly fileBytes: number;
  /** The format of the file, if its records are converted. */
  readonly convertedFrom?: StoredFormat;
  /** Number of bytes of the file that are decoded and converted. */
  readonly convertedBytes?: number;
  /** Number of bytes of the file that the answer is made from, each counted once: cuts may share a block. */
  readonly plannedBytes: number;
  readonly inlineBytes: number;
  /** Length of the whole answer, if it is short enough to be measured. */
  readonly answerBytes?: number;
  /** Length of a BGZF file that holds only the header and the records of the regions. */
  readonly minimalBytes?: number;
}

/** The maximum number of bytes of the file that are read only to measure the answer. */
const MEASURED_BYTES = DEFAULT_LIMITS.exactBytes;

/**
 * Explains how a server with default limits answers a query of a file. Throws RegionError for a malformed region, `HtsgetError`
 * for a query that cannot be answered, and what reading the file throws.
 */
export async function explainFile(path: string, options: ExplainFileOptions): Promise<FileExplanation> {
  const open = await openStoredFile(path, { openIdentity: options.openIdentity });
  try {
    const reference = await openReferenceSearch({ location: options.reference, isLocal: true });
    return await explainOpenFile(path, open, { ...options, reference });
  } finally {
    await open.close();
  }
}

async function explainOpenFile(
  path: string,
  open: OpenFile,
  { precision, reference, ...fileQuery }: Omit<ExplainFileOptions, 'reference'> & Pick<PlanFileOptions, 'reference'>,
): Promise<FileExplanation> {
  const { stored, stat, loader, indexPath } = open;
  const { query } = await resolveQuery(open, fileQuery);
  let warning: string | undefined;
  const onWarning = ({ message }: Error): void => {
    warning = message;
  };
  const plan = await planFile(stored, query, { precision, stat, loader, onWarning, reference });
  const minimal = await planFile(stored, query, { precision: 'exact', stat, loader, reference });
  const segments = await Promise.all(plan.segments.map((segment) => explainSegment(segment, plan, stored.data)));
  const plannedBytes = countCoveredBytes(segments);
  return {
    source: path,
    format: plan.format,
    precision,
    ...(plan.index !== undefined && { index: indexPath ?? 'built' }),
    regions: query.regions,
    warning,
    segments,
    fileBytes: stat.size,
    ...(plan.conversion !== undefined && {
      convertedFrom: plan.conversion.records.from,
      convertedBytes: plannedBytes,
    }),
    plannedBytes,
    inlineBytes: segments.reduce((sum, { kind, bytes }) => sum + (kind === 'inline' ? bytes : 0), 0),
    ...(plannedBytes <= MEASURED_BYTES &&
      (await measure({ plan, minimal, streaming: { reference, namePrefix: basename(path) } }, stored.data))),
  };
}

/** Returns the length of the answer, and the least length that its records need. */
async function measure(
  { plan, minimal, streaming }: { readonly plan: Plan; readonly minimal: Plan; readonly streaming: StreamPlanOptions },
  source: ByteSource,
): Promise<Pick<FileExplanation, 'answerBytes' | 'minimalBytes'>> {
  const answerBytes = await countBytes(streamPlan(plan, source, streaming));
  if (plan.format === 'CRAM' || plan.format === 'VCFTEXT') return { answerBytes };
  return { answerBytes, minimalBytes: await countBytes(deflateStream(dataOf(streamPlan(minimal, source, streaming)))) };
}

async function explainSegment(
  segment: Segment,
  { conversion }: Pick<Plan, 'conversion'>,
  source: ByteSource,
): Promise<ExplainedSegment> {
  const { kind } = segment;
  if (kind === 'inline') return { kind, class: segment.class, bytes: segment.bytes.length };
  if (segment.kind === 'header') return { kind, class: segment.class, bytes: conversion?.header.length ?? 0 };
  const { byteStart, byteEnd } =
    segment.kind === 'range' ? { byteStart: segment.start, byteEnd: segment.end } : await blockRange(segment, source);
  const filteredTo =
    segment.kind === 'cut'
      ? segment.intervals?.map(({ referenceName, start, end }) => toRegion(referenceName, start, end))
      : undefined;
  return {
    kind: segment.kind === 'cut' && conversion !== undefined ? 'convert' : kind,
    class: segment.class,
    byteStart,
    byteEnd,
    bytes: byteEnd - byteStart,
    filteredTo,
  };
}

/** Returns the range of the whole blocks that a cut lies in. */
async function blockRange(
  { start, end }: Extract<Segment, { kind: 'cut' }>,
  source: ByteSource,
): Promise<{ readonly byteStart: number; readonly byteEnd: number }> {
  const last = end.uoffset === 0 ? undefined : await readBlock(source, end.coffset);
  return { byteStart: start.coffset, byteEnd: end.coffset + (last?.bytes.length ?? 0) };
}

/** Converts an interval to a region, which has no end if the interval has the greatest one. */
function toRegion(referenceName: string, start: number, end: number): HtsgetRegion {
  return { referenceName, start, ...(end < Number.MAX_SAFE_INTEGER && { end }) };
}

/** Returns how many bytes of the file the segments cover together. */
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

async function* dataOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BorrowedBytes, void> {
  for await (const { data } of inflateStream(chunks)) yield data;
}

async function countBytes(chunks: AsyncIterable<BorrowedBytes>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}
