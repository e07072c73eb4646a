import type { SourceStat } from '@htskit/io';
import { splitLongSegments } from './deliver/split-segments.js';
import { asBinning, asCrai, type StoredIndex } from './file/file-index.js';
import { FileLoader } from './file/file-loader.js';
import { RECORD_FORMATS } from './file/record-format.js';
import { checkAnswerable, type StoredFile } from './file/stored-file.js';
import type { Plan, Precision } from './plan/plan.js';
import { planBgzf } from './plan/plan-bgzf.js';
import { planCram } from './plan/plan-cram.js';
import type { PlanQuery } from './plan/reference-intervals.js';

export interface PlanFileOptions {
  /** Default `auto`. */
  readonly precision?: Precision | undefined;
  /**
   * Whether only records that overlap the regions may leave the service, whatever the precision. CRAM is cut at containers
   * all the same. Default false.
   */
  readonly isRestricted?: boolean | undefined;
  /** Loads and caches headers and indexes, and holds the limits. Default: a new one with `DEFAULT_LIMITS`. */
  readonly loader?: FileLoader | undefined;
  /** Size and version of the data, if they are known already. Default: asked of the source. */
  readonly stat?: SourceStat | undefined;
  /** Called if the index cannot be read and is not needed: a long file then stays whole. Default: the error is ignored. */
  readonly onIndexError?: ((error: unknown) => void) | undefined;
}

/** The plan of an answer, with what it was made from. */
export interface FilePlan extends Plan {
  /** Size and version of the data. Stream the plan with this version, so that a replaced file is an error. */
  readonly stat: SourceStat;
  /** Undefined if the query needs no index, or the file has none and is too long to be indexed on demand. */
  readonly index: StoredIndex | undefined;
}

/**
 * Plans the answer to a query of a stored file: loads its header and, if needed, its index, plans, and splits what is longer
 * than `limits.blockBytes`. The server's tickets and its commands `get` and `ticket` all use this function. Throws
 * `HtsgetError` for a query that cannot be answered, and what the storage and the decoders throw.
 *
 * @example
 * const file = { format: 'BAM', data: fileSource('reads.bam'), index: fileSource('reads.bam.bai') } as const;
 * const plan = await planFile(file, { regions: [{ referenceName: 'chr1', start: 1000, end: 2000 }] });
 * for await (const chunk of streamPlan(plan, file.data, { version: plan.stat.version })) process.stdout.write(chunk);
 */
export async function planFile(stored: StoredFile, query: PlanQuery, options: PlanFileOptions = {}): Promise<FilePlan> {
  const { loader = new FileLoader(), precision = 'auto', isRestricted, onIndexError } = options;
  const { exactBytes, inlineBytes, gapBytes, blockBytes } = loader.limits;
  const { data } = stored;
  checkAnswerable(stored.format, query.format);
  const stat = options.stat ?? (await data.stat());
  const [file, index] = await Promise.all([
    loader.header(stored, stat),
    loadIndex(stored, { stat, query, loader, onIndexError }),
  ]);
  const plan =
    file.format === 'CRAM'
      ? planCram({ file, index: asCrai(index), query, inlineBytes, gapBytes, blockBytes })
      : planBgzf({ file, index: asBinning(index), query, precision, exactBytes, inlineBytes, gapBytes, isRestricted });
  const segments = await splitLongSegments(plan.segments, data, {
    rewriting: plan.rewriting,
    version: stat.version,
    index: asBinning(index),
    blockBytes,
    findBoundary: (from, find) => loader.boundary({ data, stat, from }, find),
  });
  return { format: plan.format, segments, rewriting: plan.rewriting, stat, index };
}

interface IndexContext extends Pick<PlanFileOptions, 'onIndexError'> {
  readonly stat: SourceStat;
  readonly query: PlanQuery;
  readonly loader: FileLoader;
}

/** Loads the index if the answer needs it. A long CRAM or rewritten file is split with it, but can do without. */
async function loadIndex(
  stored: StoredFile,
  { stat, query, loader, onIndexError }: IndexContext,
): Promise<StoredIndex | undefined> {
  if (query.class === 'header') return undefined;
  if (query.regions !== undefined) return loader.index(stored, stat);
  const isSplit = stored.format === 'CRAM' || !RECORD_FORMATS[stored.format].keepsAll(query);
  if (!isSplit || stat.size <= loader.limits.blockBytes) return undefined;
  return loader.index(stored, stat).catch((error: unknown) => {
    onIndexError?.(error);
    return undefined;
  });
}
