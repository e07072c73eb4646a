import { cacheKey, type StoredFile } from '@htskit/htsget/internal';
import { LruCache } from '@htskit/io';
import { openAlignments } from '@htskit/records';
import { indexOf } from '@htskit/records/internal';
import { type DepthFile, readDepth } from '../depth/depth.js';
import { type EstimatedIndex, estimateDepth } from '../estimate/estimate-depth.js';
import type { CoverageLimits, CoverageOptions } from './options.js';

type AlignmentFile = Awaited<ReturnType<typeof openAlignments>>;

/** A stored file whose header and index were read. */
export interface CoverageFile extends Pick<AlignmentFile, 'references' | 'estimateBytes'>, DepthFile {
  readonly references: AlignmentFile['references'];
  /** Distinguishes the file and its index in this version from all others. Undefined if it has no version. */
  readonly key: string | undefined;
  /** The number of bytes of the file. */
  readonly size: number;
  readonly index: EstimatedIndex | undefined;
  /** Reads a sample of the file once. Resolves to undefined if no region is short enough. */
  sample(): Promise<DepthSample | undefined>;
}

/** The sums of a short region. */
interface DepthSample {
  /** The sum of the depths of its bases. */
  readonly bases: number;
  /** The compressed bytes that the index states. */
  readonly bytes: number;
  /** The number of records, or 0 if the index does not count those of its references. */
  readonly records: number;
}

/** Opens stored files, and keeps their headers and indexes. */
export class CoverageFiles {
  readonly #limits: CoverageLimits;
  readonly #reference: CoverageOptions['reference'];
  readonly #files: LruCache<CoverageFile>;

  constructor({ limits, reference }: Pick<CoverageOptions, 'reference'> & { readonly limits: CoverageLimits }) {
    this.#limits = limits;
    this.#reference = reference;
    this.#files = new LruCache({ maxWeight: limits.cacheBytes });
  }

  /** Opens the current version of a file. Throws what the storage and the decoders throw. */
  async open({ data, index }: StoredFile, signal: AbortSignal): Promise<CoverageFile> {
    const [stat, indexStat] = await Promise.all([data.stat({ signal }), index?.stat({ signal })]);
    const key = cacheKey(data, stat);
    const indexKey = index === undefined ? '' : cacheKey(index, indexStat ?? { size: 0 });
    const read = async (): Promise<{ value: CoverageFile; weight: number }> => {
      const file = await openAlignments(data, {
        index,
        reference: this.#reference,
        workers: 0,
        onWarning: () => undefined,
      });
      const loaded = await indexOf(file, undefined);
      const fullKey = key === undefined || indexKey === undefined ? undefined : `${key}\n${indexKey}`;
      const value = toCoverageFile(file, { key: fullKey, size: stat.size, index: loaded, limits: this.#limits });
      // The text and the objects of its references.
      return { value, weight: 4 * file.headerText.length + (loaded?.byteLength ?? 0) };
    };
    if (key === undefined || indexKey === undefined) return (await read()).value;
    return this.#files.load(`${key}\n${indexKey}`, read);
  }
}

interface Parts extends Pick<CoverageFile, 'key' | 'size' | 'index'> {
  readonly limits: CoverageLimits;
}

function toCoverageFile(file: AlignmentFile, { limits, ...parts }: Parts): CoverageFile {
  let sampling: Promise<DepthSample | undefined> | undefined;
  const { index } = parts;
  return {
    ...parts,
    references: file.references,
    columns: file.columns,
    estimateBytes: file.estimateBytes,
    sample() {
      sampling ??= (index === undefined ? Promise.resolve(undefined) : readSample(file, index, limits)).catch(
        (error: unknown) => {
          sampling = undefined;
          throw error;
        },
      );
      return sampling;
    },
  };
}

/** The maximum number of regions whose bytes are looked up to find one that is short enough. */
const MAX_CANDIDATES = 16;

/** Reads a region of usual density, of the first reference with records. */
async function readSample(
  file: AlignmentFile,
  index: EstimatedIndex,
  { scanBytes }: CoverageLimits,
): Promise<DepthSample | undefined> {
  for (const [referenceId, { name, length = 0 }] of file.references.entries()) {
    for (const { start, end } of findCandidates(index, referenceId, length)) {
      const region = { referenceName: name, start, end };
      if (((await file.estimateBytes(region)) ?? Infinity) > scanBytes) continue;
      const [bytes = 0] = estimateDepth(index, { referenceId, start, end, bins: 1 }).bytes;
      let bases = 0;
      for await (const { length: count, ...runs } of readDepth(file, [region])) {
        for (let i = 0; i < count; i++) bases += ((runs.end[i] ?? 0) - (runs.start[i] ?? 0)) * (runs.depth[i] ?? 0);
      }
      const isCounted = index.referenceStatistics?.(referenceId) !== undefined;
      if (bases > 0 && bytes > 0) return { bases, bytes, records: isCounted ? await file.count(region) : 0 };
    }
  }
  return undefined;
}

/** Returns spans of an index, of usual density first. Those of the greatest density may be of artifacts. */
function findCandidates(
  index: EstimatedIndex,
  referenceId: number,
  length: number,
): readonly { readonly start: number; readonly end: number }[] {
  const spans: { start: number; end: number; density: number }[] = [];
  index.visitByteSpans(referenceId, (start, end, bytes) => {
    const span = { start: Math.max(0, start), end: Math.min(end, length), density: bytes / (end - start) };
    if (bytes > 0 && span.start < span.end) spans.push(span);
  });
  spans.sort((a, b) => b.density - a.density);
  const first = Math.floor(spans.length / 4);
  return spans.slice(first, first + MAX_CANDIDATES);
}
