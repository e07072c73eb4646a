import type { CramReferenceSource } from '@htskit/formats';
import { type CraiIndex, IndexError } from '@htskit/indexes';
import type { SourceStat } from '@htskit/io';
import { UNPLACED } from '@htskit/protocol';
import { splitLongSegments } from './deliver/split-segments.js';
import type { TransformWorkers } from './deliver/transform/transform.js';
import type { BgzfFile } from './file/bgzf-file.js';
import type { Conversion } from './file/conversion.js';
import { checkContainers } from './file/cram-check.js';
import type { CramFile } from './file/cram-file.js';
import { checkReferences } from './file/cram-references.js';
import type { FileCheck } from './file/file-check.js';
import { asBinning, asCrai, type StoredIndex } from './file/file-index.js';
import { FileLoader } from './file/file-loader.js';
import { RECORD_FORMATS } from './file/record-format.js';
import { checkAnswerable, isConverted, type StoredFile } from './file/stored-file.js';
import { mostBlockBytes, mostMadeBytes, type TruncatedPolicy } from './options.js';
import type { Plan, Precision } from './plan/plan.js';
import { planBgzf } from './plan/plan-bgzf.js';
import { planCram } from './plan/plan-cram.js';
import { planCramConversion } from './plan/plan-cram-conversion.js';
import type { PlanQuery } from './plan/reference-intervals.js';

export interface PlanFileOptions {
  /** Default `auto`. */
  readonly precision?: Precision | undefined;
  /**
   * Whether only records that overlap the regions may leave the service, whatever the precision. CRAM is cut at containers
   * all the same. Default false.
   */
  readonly isRestricted?: boolean | undefined;
  /** Whether a file that lacks its end marker is refused, if nothing proves that its end is missing. Default `warn`. */
  readonly truncated?: TruncatedPolicy | undefined;
  /** Loads and caches headers and indexes, and holds the limits. Default: a new one with `DEFAULT_LIMITS`. */
  readonly loader?: FileLoader | undefined;
  /** Returns the reference bases of CRAM files that are converted to BAM. Default: no reference is available. */
  readonly reference?: CramReferenceSource | undefined;
  /** Threads that decode a container to see whether it needs a reference. Default: the caller's thread does. */
  readonly workers?: TransformWorkers | undefined;
  /** Aborts what is read for this plan alone: headers and indexes are loaded for others, too. */
  readonly signal?: AbortSignal | undefined;
  /** Size and version of the data, if they are known already. Default: asked of the source. */
  readonly stat?: SourceStat | undefined;
  /** Called if the index cannot be read and is not needed: a long file then stays whole. Default: the error is ignored. */
  readonly onIndexError?: ((error: unknown) => void) | undefined;
  /** Called for a file that lacks its end marker and is read all the same. Default: nothing is called. */
  readonly onWarning?: ((warning: Error) => void) | undefined;
}

/** The plan of an answer, with what it was made from. */
export interface FilePlan extends Plan {
  /** Size and version of the data. Stream the plan with this version, so that a replaced file is an error. */
  readonly stat: SourceStat;
  /** Undefined if the query needs no index, or the file has none and is too long to be indexed on demand. */
  readonly index: StoredIndex | undefined;
}

/**
 * Plans the answer to a query of a stored file: loads its header and its index, checks that the file is whole and that the
 * index is its own, plans, and splits what is longer than `limits.blockBytes`. The server's tickets and its commands `get`
 * and `ticket` all use this function. Throws `HtsgetError` for a query that cannot be answered, `FormatError` TRUNCATED for
 * one that needs the missing part of a truncated file, `IndexError` for one that needs an index that contradicts the file, and
 * what the storage and the decoders throw.
 *
 * @example
 * const file = { format: 'BAM', data: fileSource('reads.bam'), index: fileSource('reads.bam.bai') } as const;
 * const plan = await planFile(file, { regions: [{ referenceName: 'chr1', start: 1000, end: 2000 }] });
 * for await (const chunk of streamPlan(plan, file.data, { version: plan.stat.version })) process.stdout.write(chunk);
 */
export async function planFile(stored: StoredFile, query: PlanQuery, options: PlanFileOptions = {}): Promise<FilePlan> {
  const { loader = new FileLoader() } = options;
  const { data } = stored;
  checkAnswerable(stored.format, query.format);
  const stat = options.stat ?? (await data.stat());
  const [file, loaded] = await Promise.all([
    loader.header(stored, stat),
    loadIndex(stored, { stat, query, loader, onIndexError: options.onIndexError }),
  ]);
  const conversion = await openConversion(stored, { stat, query, file, loader });
  if (query.class === 'header') {
    return { ...createPlan(query, { file, index: undefined, conversion, options, loader }), stat, index: undefined };
  }
  // An index that was built on demand is that of the file.
  const storedIndex = stored.index === undefined ? undefined : loaded;
  const check = await loader.check(stored, stat, { file, index: storedIndex });
  checkUsable(check, { query, isIndexed: storedIndex !== undefined, options });
  const index = check.mismatch === undefined ? loaded : undefined;
  const planned = index ?? (await indexForConversion(stored, { stat, file, conversion, loader }));
  const plan = checkPlan(check, file, () => createPlan(query, { file, index: planned, conversion, options, loader }));
  const segments = await splitLongSegments(plan.segments, data, {
    format: plan.format,
    rewriting: plan.rewriting,
    conversion,
    version: stat.version,
    index: asBinning(index),
    blockBytes: mostBlockBytes(loader.limits, conversion !== undefined),
    madeBytes: mostMadeBytes(loader.limits, stat.size),
    findBoundary: (from, find) => loader.boundary({ data, stat, from }, find),
  });
  const crai = asCrai(storedIndex === undefined ? undefined : index);
  if (file.format === 'CRAM' && crai !== undefined) {
    await checkContainers(data, bodyEdges(plan, file), { file, index: crai, version: stat.version });
  }
  if (file.format === 'CRAM') {
    await checkPlannedReferences(stored, { ...plan, query, file, index: asCrai(planned), stat, options });
  }
  return { format: plan.format, segments, rewriting: plan.rewriting, conversion, stat, index };
}

/** Returns how the records get the format of the query. Undefined if they have it. */
async function openConversion(
  stored: StoredFile,
  { stat, query, file, loader }: { readonly file: BgzfFile | CramFile } & Omit<IndexContext, 'onIndexError'>,
): Promise<Conversion | undefined> {
  const { format = stored.format } = query;
  if (!isConverted(stored.format, format)) return undefined;
  return loader.conversion(stored, stat, { file, format });
}

/** Returns the containers of a CRAM file without an index, which is converted in parts. Any other file needs no index. */
async function indexForConversion(
  stored: StoredFile,
  { stat, file, conversion, loader }: Pick<PlanParts, 'file' | 'conversion' | 'loader'> & Pick<IndexContext, 'stat'>,
): Promise<StoredIndex | undefined> {
  if (file.format !== 'CRAM' || conversion === undefined) return undefined;
  return loader.containers(stored, stat, file);
}

interface PlannedReferences extends Pick<Plan, 'segments' | 'conversion'> {
  readonly query: PlanQuery;
  readonly file: CramFile;
  readonly index: CraiIndex | undefined;
  readonly stat: SourceStat;
  readonly options: PlanFileOptions;
}

/** Throws `HtsgetError` UnsupportedFormat if a CRAM file is converted and a reference that it needs is not available. */
async function checkPlannedReferences(
  { data }: StoredFile,
  { segments, conversion, query, file, index, stat: { version }, options }: PlannedReferences,
): Promise<void> {
  if (conversion?.records.from !== 'CRAM' || index === undefined) return;
  const { reference, workers, signal } = options;
  const cuts = query.regions && segments.filter((segment) => segment.kind === 'cut');
  const regionIds = (query.regions ?? []).flatMap(
    ({ referenceName }) => file.header.referenceIds.get(referenceName) ?? [],
  );
  const shared = { reference, workers, version, signal };
  await checkReferences(data, { file, index, conversion: conversion.records, cuts, regionIds, ...shared });
}

interface PlanParts {
  readonly file: BgzfFile | CramFile;
  readonly index: StoredIndex | undefined;
  readonly conversion: Conversion | undefined;
  readonly options: PlanFileOptions;
  readonly loader: FileLoader;
}

function createPlan(query: PlanQuery, { file, index, conversion, options, loader }: PlanParts): Plan {
  const { precision = 'auto', isRestricted } = options;
  const { exactBytes, inlineBytes, gapBytes, blockBytes } = loader.limits;
  if (file.format === 'CRAM' && conversion !== undefined) {
    const bytes = { inlineBytes, blockBytes: mostBlockBytes(loader.limits, true) };
    return planCramConversion({ file, index: asCrai(index), query, conversion, isRestricted, ...bytes });
  }
  if (file.format === 'CRAM') return planCram({ file, index: asCrai(index), query, inlineBytes, gapBytes, blockBytes });
  return planBgzf({
    file,
    index: asBinning(index),
    query,
    conversion,
    isRestricted,
    precision,
    exactBytes,
    inlineBytes,
    gapBytes,
  });
}

interface CheckedQuery extends Pick<PlanParts, 'options'> {
  readonly query: PlanQuery;
  /** Whether the file has a stored index. One that was built from a truncated file does not show what is missing. */
  readonly isIndexed: boolean;
}

/**
 * Throws the fault of a file or of its index if the query cannot be answered without the missing part, or without an index.
 */
function checkUsable(
  { truncation, mismatch, doubt }: FileCheck,
  { query: { regions }, isIndexed, options: { truncated = 'warn', onWarning } }: CheckedQuery,
): void {
  if (mismatch !== undefined && regions !== undefined) throw mismatch;
  const isPart = isIndexed && regions?.every(({ referenceName }) => referenceName !== UNPLACED) === true;
  if (truncation !== undefined && !isPart) throw truncation;
  if (doubt !== undefined && truncated === 'refuse') throw doubt;
  if (doubt !== undefined) onWarning?.(doubt);
}

/** Returns the plan unless it needs the missing part of a truncated file. Throws the one error that is cached with the file. */
function checkPlan({ truncation }: FileCheck, file: BgzfFile | CramFile, create: () => Plan): Plan {
  try {
    const plan = create();
    if (truncation !== undefined && file.format === 'CRAM' && bodyRanges(plan).some(({ end }) => end === file.end)) {
      throw truncation;
    }
    return plan;
  } catch (error) {
    throw truncation !== undefined && error instanceof IndexError ? truncation : error;
  }
}

function bodyRanges({ segments }: Plan): readonly { readonly start: number; readonly end: number }[] {
  return segments.flatMap((segment) => {
    if (segment.kind === 'inline' || segment.kind === 'header' || segment.class === 'header') return [];
    return segment.kind === 'cut' ? [{ start: segment.start.coffset, end: segment.end.coffset }] : [segment];
  });
}

/** Returns the offsets at which containers must begin, so that the ranges of a plan are whole containers. */
function bodyEdges(plan: Plan, { end: fileEnd }: CramFile): number[] {
  return bodyRanges(plan)
    .flatMap(({ start, end }) => [start, end])
    .filter((offset) => offset < fileEnd);
}

interface IndexContext extends Pick<PlanFileOptions, 'onIndexError'> {
  readonly stat: SourceStat;
  readonly query: PlanQuery;
  readonly loader: FileLoader;
}

/**
 * Loads the index that a query needs. A whole file needs none, but its index shows whether it is truncated, and where it can
 * be split.
 */
async function loadIndex(
  stored: StoredFile,
  { stat, query, loader, onIndexError }: IndexContext,
): Promise<StoredIndex | undefined> {
  if (query.class === 'header') return undefined;
  if (query.regions !== undefined) return loader.index(stored, stat);
  const { format } = stored;
  // The containers of a CRAM file are found without an index.
  if (stored.index === undefined && format === 'CRAM' && isConverted(format, query.format)) return undefined;
  const isSplit = format === 'CRAM' || isConverted(format, query.format) || !RECORD_FORMATS[format].keepsAll(query);
  if (
    stored.index === undefined &&
    !(isSplit && stat.size > mostBlockBytes(loader.limits, isConverted(format, query.format)))
  )
    return undefined;
  return loader.index(stored, stat).catch((error: unknown) => {
    onIndexError?.(error);
    return undefined;
  });
}
