import type { CramReferenceSource } from '@htskit/formats';
import type { SourceStat } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';
import { splitLongSegments } from './deliver/split-segments.js';
import { checkUsable, explainTruncation } from './file/file-check.js';
import { checkAnswerable, isConverted, type StoredFile } from './file/stored-file.js';
import { type HtsgetLimits, maxBlockBytes, maxTransformedBytes } from './limits.js';
import { asBinning, type StoredIndex } from './load/file-format.js';
import { FileLoader } from './load/file-loader.js';
import { createRewriting, selectRecords } from './load/rewrite-file.js';
import { STORED_FORMATS } from './load/stored-formats.js';
import type { TruncatedPolicy } from './options.js';
import type { Plan, Precision, Rewriting } from './plan/plan.js';
import { planNewHeader } from './plan/plan-bgzf.js';
import type { PlanQuery } from './plan/plan-input.js';
import type { TransformWorkers } from './transform/transform.js';

export interface PlanFileOptions {
  /** Default `auto`. */
  readonly precision?: Precision;
  /**
   * Whether only records that overlap the regions may leave the service, whatever the precision. CRAM is cut at containers
   * all the same. Default false.
   */
  readonly isRestricted?: boolean;
  /** Whether the plan may hold short headers itself. Default true. */
  readonly isInlined?: boolean;
  /** Whether a file that lacks its end marker is refused, if nothing proves that its end is missing. Default `warn`. */
  readonly truncated?: TruncatedPolicy;
  /** Loads and caches headers and indexes, and holds the limits. Default: a new one with `DEFAULT_LIMITS`. */
  readonly loader?: FileLoader;
  /** Returns the reference bases of CRAM files that are converted to BAM. Default: no reference is available. */
  readonly reference?: CramReferenceSource;
  /** Threads that decode a container to see whether it needs a reference. Default: the caller's thread does. */
  readonly workers?: TransformWorkers;
  /** The client that the plan is for. Clients take turns at the workers. */
  readonly client?: string;
  /** Aborts what is read for this plan alone: headers and indexes are loaded for others, too. */
  readonly signal?: AbortSignal;
  /** Size and version of the data, if they are known already. Default: asked of the source. */
  readonly stat?: SourceStat;
  /** Called if the index cannot be read and is not needed: a long file then stays whole. Default: the error is ignored. */
  readonly onIndexError?: (error: unknown) => void;
  /** Called for a file that lacks its end marker and is read all the same. Default: nothing is called. */
  readonly onWarning?: (warning: Error) => void;
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
  const { loader = new FileLoader(), precision = 'auto', isRestricted = false, isInlined = true } = options;
  const { format = stored.format } = query;
  const { data } = stored;
  checkAnswerable(stored.format, format);
  const fileFormat = STORED_FORMATS[stored.format];
  const limits = isInlined ? loader.limits : { ...loader.limits, inlineBytes: 0 };
  const stat = options.stat ?? (await data.stat());
  const [file, loaded] = await Promise.all([
    loader.header(stored, stat),
    query.class === 'header' ? undefined : loadIndex(stored, query, { ...options, loader, stat }),
  ]);
  const selection = selectRecords(query, file, format);
  const conversion = isConverted(stored.format, format)
    ? await loader.conversion(stored, stat, { file, format, samples: selection?.samples })
    : undefined;
  const rewriting = selection && (await createRewriting(file, selection, format));
  if (format === 'SAM') return { ...planSamHeader(rewriting, limits), stat, index: undefined };
  const input = { file, query, conversion, rewriting, precision, isRestricted, limits };
  if (query.class === 'header') return { ...fileFormat.plan({ ...input, index: undefined }), stat, index: undefined };
  // An index that was built on demand is that of the file.
  const checkedIndex = stored.index === undefined ? undefined : loaded;
  const check = await loader.check(stored, stat, { file, index: checkedIndex });
  checkUsable(check, { ...options, regions: query.regions, isIndexed: checkedIndex !== undefined });
  const index = check.mismatch === undefined ? loaded : undefined;
  const planned = index ?? (conversion && (await loader.parts(stored, stat, file)));
  const plan = explainTruncation(check, () => fileFormat.plan({ ...input, index: planned }));
  const { version } = stat;
  const segments = await splitLongSegments(plan.segments, data, {
    ...plan,
    version,
    index: asBinning(index),
    blockBytes: maxBlockBytes(limits, conversion !== undefined),
    transformedBytes: maxTransformedBytes(limits, stat.size),
    findBoundary: (from, find) => loader.boundary({ data, stat, from }, find),
  });
  const verified = { query, file, index: planned, storedIndex: checkedIndex && index, truncation: check.truncation };
  const { reference, workers, client, signal } = options;
  await fileFormat.verify?.(data, plan, { ...verified, version, reference, workers, client, signal });
  return { ...plan, segments, stat, index };
}

/** Plans a SAM header, which is text (hts-specs 580). Throws `HtsgetError` UnsupportedFormat unless only the header is requested. */
function planSamHeader(rewriting: Rewriting | undefined, { inlineBytes }: HtsgetLimits): Plan {
  const header = rewriting?.answerHeader;
  if (header === undefined) throw new HtsgetError('UnsupportedFormat', 'SAM is answered for class=header only');
  return { format: 'SAM', segments: [planNewHeader(header, inlineBytes)], rewriting };
}

interface IndexContext extends Pick<PlanFileOptions, 'onIndexError'> {
  readonly stat: SourceStat;
  readonly loader: FileLoader;
}

/**
 * Loads the index that a query needs. A whole file needs none, but its index shows whether it is truncated, and where it can
 * be split.
 */
async function loadIndex(
  stored: StoredFile,
  query: PlanQuery,
  { stat, loader, onIndexError }: IndexContext,
): Promise<StoredIndex | undefined> {
  if (query.regions !== undefined) return loader.index(stored, stat);
  const converted = isConverted(stored.format, query.format);
  const isSplit = STORED_FORMATS[stored.format].isSplitByIndex(query, converted);
  const isLong = stat.size > maxBlockBytes(loader.limits, converted);
  if (stored.index === undefined && !(isSplit && isLong)) return undefined;
  return loader.index(stored, stat).catch((error: unknown) => {
    onIndexError?.(error);
    return undefined;
  });
}
