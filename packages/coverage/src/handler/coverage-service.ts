import { FormatError, parseReadGroups } from '@htskit/formats';
import type { PermittedSamples, StoredFile } from '@htskit/htsget';
import {
  checkPlainDelivery,
  type Grant,
  isDeliveredPlain,
  permitsSample,
  restrictRegions,
} from '@htskit/htsget/internal';
import { type ByteSource, LruCache, type SourceStat } from '@htskit/io';
import { type Datatype, HtsgetError, type HtsgetRegion } from '@htskit/protocol';
import { type AlignmentFile, RecordsError, type VariantFile } from '@htskit/records';
import { type CoverageLimits, type CoverageOptions, DEFAULT_COVERAGE_LIMITS } from './coverage-options.js';
import type { CoverageQuery } from './coverage-query.js';
import { estimateBins } from './estimated-bins.js';
import { type CoverageRegion, countStarts, type PermittedParts, readDepthBins } from './exact-bins.js';
import { type OpenedFile, OpenFiles } from './open-files.js';
import { type FoundSummary, OpenSummaries } from './open-summaries.js';

/** The values of the bins of a region. */
export interface CoverageDocument {
  /** Whether the values are estimates from the index. */
  readonly estimated: boolean;
  readonly referenceName: string;
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  /** The mean depth of each bin of reads. */
  readonly mean?: ArrayLike<number>;
  /** The greatest depth of a base of each bin of reads, unless the values are estimates. */
  readonly max?: ArrayLike<number>;
  /** The number of variants that start in each bin. */
  readonly counts?: ArrayLike<number>;
}

/** The object of a request, and what it may see. */
export interface CoverageObject {
  readonly datatype: Datatype;
  readonly id: string;
  readonly permission: Grant;
  readonly signal: AbortSignal;
  /** The headers of the request. */
  readonly headers?: Headers;
}

/** The stored formats, by preference: those that are read in the least time first. */
const FORMATS: Readonly<Record<Datatype, readonly StoredFile['format'][]>> = {
  reads: ['BAM', 'CRAM'],
  variants: ['BCF', 'VCF'],
};

/** Answers queries of coverage, without HTTP. */
export class CoverageService {
  readonly limits: CoverageLimits;
  readonly #options: CoverageOptions;
  readonly #files: OpenFiles;
  readonly #summaries: OpenSummaries;
  /** The answers to requests that may see everything. */
  readonly #answers: LruCache<CoverageDocument>;

  /** `onError` is called for a bigWig that cannot be read. */
  constructor(options: CoverageOptions, onError: (error: unknown) => void) {
    this.#options = options;
    this.#summaries = new OpenSummaries({ summaries: options.summaries, onError });
    this.limits = { ...DEFAULT_COVERAGE_LIMITS, ...options.limits };
    this.#files = new OpenFiles({ limits: this.limits, reference: options.reference?.bind(options) });
    this.#answers = new LruCache({ maxWeight: this.limits.answerBytes });
  }

  /**
   * Returns the stored files of an object: first that which its coverage is read from. Throws `HtsgetError` NotFound, and
   * PermissionDenied if all are stored encrypted and not answered plain.
   */
  async files({ id, datatype, signal, headers }: CoverageObject): Promise<readonly [StoredFile, ...StoredFile[]]> {
    const resolved = (await this.#options.resolve(id, datatype, { signal, headers })) ?? [];
    const files = FORMATS[datatype].flatMap((format) => resolved.filter((stored) => stored.format === format));
    const [first, ...others] = files.filter((file) => isDeliveredPlain(file, this.#options));
    if (first === undefined) {
      for (const file of files) checkPlainDelivery(file, this.#options);
      throw new HtsgetError('NotFound', `unknown id ${JSON.stringify(id)}`);
    }
    return [first, ...others];
  }

  /** Returns the bigWig of an object; undefined if there is none. Throws the same errors as `files`. */
  async summary(object: CoverageObject): Promise<ByteSource | undefined> {
    const { summaries } = this.#options;
    for (const file of await this.files(object)) {
      const { version } = await file.data.stat({ signal: object.signal });
      const summary = await summaries?.find(file, version);
      if (summary !== undefined) return summary;
      summaries?.make?.(file, version);
    }
    return undefined;
  }

  /** Returns the values of the bins of a region. Throws `HtsgetError`, and what the storage and the decoders throw. */
  async bins(object: CoverageObject, { region, bins }: CoverageQuery): Promise<CoverageDocument> {
    const { datatype, permission, signal } = object;
    const [stored] = await this.files(object);
    const stat = await stored.data.stat({ signal });
    const opened = await this.#files.open(stored, stat);
    const { regions, samples } = permission === 'all' ? { regions: permission, samples: undefined } : permission;
    const restricted = regions === 'all' ? undefined : restrictRegions([region], regions);
    const place = { ...locate(opened.file, region), bins };
    if (place.start === place.end) return emptyDocument(place, datatype);
    const options = { stat, signal, datatype, permitted: restricted ? clipParts(restricted, place) : [place] };
    // Variants are those of all samples, as in tickets.
    const readGroups = samples && datatype === 'reads' ? permittedReadGroups(opened.file, samples) : undefined;
    if (restricted !== undefined || readGroups !== undefined) {
      return this.#readRestricted(opened, place, { ...options, readGroups });
    }
    const key = opened.key && JSON.stringify([opened.key, place]);
    const known = key && this.#answers.get(key);
    if (known) return known;
    const summary = datatype === 'reads' ? await this.#summaries.find(stored, stat.version) : undefined;
    // A later summary, or another one, may have better values than an estimate.
    const estimateKey = key && `${key}\n${summary?.key ?? ''}`;
    const estimate = estimateKey && this.#answers.get(estimateKey);
    if (estimate) return estimate;
    const document = await this.#readAll(opened, place, { ...options, stored, summary });
    const answerKey = document.estimated ? estimateKey : key;
    if (answerKey) this.#answers.set(answerKey, document, VALUE_BYTES * bins + answerKey.length);
    return document;
  }

  /** Reads a region for a request that may see everything: exactly, from its bigWig or itself, or else by estimate. */
  async #readAll(
    opened: OpenedFile,
    place: CoverageRegion,
    {
      stored,
      summary,
      ...options
    }: ReadingOptions & { readonly stored: StoredFile; readonly summary: FoundSummary | undefined },
  ): Promise<CoverageDocument> {
    const { stat, datatype, signal } = options;
    const length = opened.file.references[place.referenceId]?.length;
    const summaryOptions = { length, maxBytes: this.limits.exactBytes };
    const summed = summary && (await this.#summaries.bins(summary, place, summaryOptions));
    signal.throwIfAborted();
    if (summed?.estimated !== false && (await this.#isExact(opened, options)))
      return this.#read(opened, place, options);
    if (summed !== undefined) {
      const document = toDocument(place, datatype, { estimated: summed.estimated, values: summed.mean });
      return summed.max === undefined ? document : { ...document, max: summed.max };
    }
    // An estimate shows that a summary is of use.
    if (datatype === 'reads') this.#summaries.make(stored, stat.version);
    return toDocument(place, datatype, { estimated: true, values: await estimateBins(opened, place, stored.data) });
  }

  /**
   * Reads what a request may see of a region. Throws `HtsgetError` InvalidInput if that takes too long: an estimate would show what
   * it may not see.
   */
  async #readRestricted(opened: OpenedFile, place: CoverageRegion, options: ReadingOptions): Promise<CoverageDocument> {
    if (await this.#isExact(opened, options)) return this.#read(opened, place, options);
    const message =
      'access is limited to a part of this object, and the region is too long for exact values; request a shorter one';
    throw new HtsgetError('InvalidInput', message);
  }

  async #read(
    { file }: OpenedFile,
    place: CoverageRegion,
    { stat, datatype, permitted, readGroups, signal }: ReadingOptions,
  ): Promise<CoverageDocument> {
    // A file that is short enough needs no index.
    const options = { permitted, signal, scan: stat.size <= this.limits.exactBytes };
    if (datatype === 'variants') {
      return toDocument(place, datatype, {
        estimated: false,
        values: await countStarts(file as VariantFile, place, options),
      });
    }
    const { mean, max } = await readDepthBins(file as AlignmentFile, place, { ...options, readGroups });
    return { ...toDocument(place, datatype, { estimated: false, values: mean }), max };
  }

  async #isExact(
    { file }: OpenedFile,
    { permitted, stat, signal }: Omit<ReadingOptions, 'datatype'>,
  ): Promise<boolean> {
    const { exactBytes } = this.limits;
    if (stat.size <= exactBytes || permitted.length === 0) return true;
    try {
      return ((await file.estimateBytes(permitted, { signal })) ?? Infinity) <= exactBytes;
    } catch (error) {
      if (error instanceof RecordsError && error.code === 'MISSING_INDEX') return false;
      throw error;
    }
  }
}

interface ReadingOptions {
  readonly datatype: Datatype;
  readonly permitted: PermittedParts;
  /** Reads only: the read groups whose records count. Default: all records count. */
  readonly readGroups?: readonly string[] | undefined;
  readonly stat: SourceStat;
  readonly signal: AbortSignal;
}

/** Bytes of the mean and the maximum of a bin in memory: the numbers, and about as many digits as they have in JSON. */
const VALUE_BYTES = 32;

function toDocument(
  { referenceName, start, end }: CoverageRegion,
  datatype: Datatype,
  { estimated, values }: { readonly estimated: boolean; readonly values: ArrayLike<number> },
): CoverageDocument {
  const shown = { estimated, referenceName, start, end };
  return datatype === 'reads' ? { ...shown, mean: values } : { ...shown, counts: values };
}

/** Returns the values of a region without bases. */
function emptyDocument(place: CoverageRegion, datatype: Datatype): CoverageDocument {
  const values = new Uint32Array(place.bins);
  const document = toDocument(place, datatype, { estimated: false, values });
  return datatype === 'reads' ? { ...document, max: values } : document;
}

/** Returns the IDs of the read groups whose samples may be seen. */
function permittedReadGroups({ headerText }: OpenedFile['file'], permitted: PermittedSamples): readonly string[] {
  const isPermitted = permitsSample(permitted);
  return parseReadGroups(headerText)
    .filter(({ sample }) => sample !== undefined && isPermitted(sample))
    .map(({ id }) => id);
}

/** Returns the region, clamped to the bases of its reference. Throws `HtsgetError` NotFound and InvalidInput. */
function locate({ references }: OpenedFile['file'], region: HtsgetRegion): Omit<CoverageRegion, 'bins'> {
  const { referenceName, start = 0 } = region;
  const referenceId = references.findIndex(({ name }) => name === referenceName);
  if (referenceId < 0) throw new HtsgetError('NotFound', `unknown reference ${JSON.stringify(referenceName)}`);
  if (references.some(({ name }, id) => name === referenceName && id !== referenceId)) {
    throw new HtsgetError('InvalidInput', `the header has ${JSON.stringify(referenceName)} more than once`);
  }
  const length = references[referenceId]?.length || region.end;
  if (length === undefined)
    throw new HtsgetError('InvalidInput', 'end is required: the header has no length of the reference');
  const end = Math.min(region.end ?? length, length);
  return { referenceId, referenceName, start: Math.min(start, end), end };
}

/** Returns the parts of regions of a reference that lie within its region. */
function clipParts(regions: readonly HtsgetRegion[], { referenceName, start, end }: CoverageRegion): PermittedParts {
  return regions
    .map((part) => ({
      referenceName,
      start: Math.max(start, part.start ?? 0),
      end: Math.min(end, part.end ?? end),
    }))
    .filter((part) => part.start < part.end);
}

/** Returns the error that a client sees for one of `@htskit/records`; others are returned as they are. */
export function toProtocolError(error: unknown): unknown {
  if (!(error instanceof RecordsError)) return error;
  if (error.code === 'UNKNOWN_FORMAT') return new FormatError('INVALID_DATA', error.message, { offset: 0 });
  return new HtsgetError('InvalidInput', error.message, { cause: error });
}
