import type { AlignmentRecord, ReferenceBases } from '@htskit/formats';
import { LruCache, type Weighted } from '@htskit/io';
import { type AlignmentFile, openBam } from '@htskit/records';
import type { CoverageBins } from '../features/coverage-bins.js';
import { FeatureIds } from '../features/plain-feature.js';
import { ReadFeature } from '../features/read-feature.js';
import {
  type AdapterConstructor,
  collectFeatures,
  type DensityStats,
  type FeatureAdapter,
  type Observer,
  type ReadCriteria,
  type Region,
  type RequestOptions,
} from '../jbrowse/adapter.js';
import { type AdapterElement, fetchOf, findLocation, requireLocation } from '../jbrowse/adapter-element.js';
import { cachedPromise } from '../jbrowse/cached-promise.js';
import type { JBrowseCore } from '../jbrowse/core.js';
import { locationSlot } from '../jbrowse/location.js';
import { countBins, fetchCoverage } from '../services/coverage-service.js';

/** An adapter that also has the depth of its reads. */
export interface CoverageReader {
  /** Whether the server has the depth of the reads. */
  readonly hasCoverage: boolean;
  /** Returns the depth of a region, or undefined if the reads are few enough to be counted instead. */
  readCoverage(region: Region, options: RequestOptions): Promise<CoverageBins | undefined>;
}

/** Reads per pixel beyond which JBrowse shows no reads, by its configuration of the pileup. */
const MOST_READS_PER_PIXEL = 5;
/** JBrowse shows all reads of a view of less than 20 kb. */
const SMALL_VIEW_BP_PER_PIXEL = 10;
/** Bases on both sides of a region within which JBrowse looks for reads to count. */
const SAMPLED_BASES = 50_000;
/** The reads of a region are shown, counted and laid out by separate requests. */
const KEPT_READS = { maxWeight: 2 ** 26, idleMilliseconds: 60_000 };

export const READS_ADAPTER: AdapterElement = {
  name: 'HtskitReadsAdapter',
  displayName: 'htsget reads (htskit)',
  slots: {
    htsgetLocation: locationSlot('the URL of the ticket, such as https://data.example.org/reads/NA12878'),
    coverageLocation: locationSlot('the depth of the reads on a server of htskit: /coverage/NA12878. Default: none'),
    sequenceAdapter: {
      type: 'frozen',
      description: 'the adapter of the assembly, for mismatches of reads without the tag MD',
      defaultValue: null,
    },
  },
  createClass: createReadsAdapter,
};

function createReadsAdapter(core: JBrowseCore): AdapterConstructor {
  return class HtskitReadsAdapter extends core.BaseFeatureDataAdapter implements CoverageReader {
    readonly #open = cachedPromise(() => openReads(core, this));
    readonly #records = new LruCache<readonly AlignmentRecord[]>(KEPT_READS);
    readonly #densities = new Map<string, Promise<DensityStats>>();

    override async getRefNames(): Promise<readonly string[]> {
      return (await this.#open()).references.map(({ name }) => name);
    }

    override async getHeader(): Promise<string> {
      return (await this.#open()).headerText;
    }

    override getFeatures(region: Region, options: RequestOptions = {}): object {
      return core.createObservable(async (observer) => {
        await this.#send(region, options, observer);
        observer.complete();
      }, options.stopToken);
    }

    /** The reads per base about the first region of a reference that is requested. */
    override getMultiRegionFeatureDensityStats(
      regions: readonly Region[],
      options: RequestOptions = {},
    ): Promise<DensityStats> {
      const [region] = regions;
      if (region === undefined) return Promise.resolve({ featureDensity: 0 });
      const known = this.#densities.get(region.refName);
      if (known !== undefined) return known;
      // The first view may be a few bases at the start of a reference.
      const start = Math.max(0, region.start - SAMPLED_BASES);
      const sampled = { ...region, start, end: region.end + SAMPLED_BASES };
      const counted = super.getMultiRegionFeatureDensityStats([sampled], options);
      this.#densities.set(region.refName, counted);
      const forget = (): boolean => this.#densities.delete(region.refName);
      // JBrowse gives up after a few seconds, and says that the density is infinite.
      counted.then(({ featureDensity = 0 }) => featureDensity === Infinity && forget(), forget);
      return counted;
    }

    get hasCoverage(): boolean {
      return findLocation(this, 'coverageLocation') !== undefined;
    }

    async readCoverage(region: Region, options: RequestOptions): Promise<CoverageBins | undefined> {
      const coverage = findLocation(this, 'coverageLocation');
      const { bpPerPx = 0 } = options;
      if (coverage === undefined || bpPerPx < SMALL_VIEW_BP_PER_PIXEL) return undefined;
      const { featureDensity = 0 } = await this.getMultiRegionFeatureDensityStats([region], options);
      if (featureDensity * bpPerPx <= MOST_READS_PER_PIXEL) return undefined;
      const fetch = fetchOf(core, this, [coverage]);
      return fetchCoverage(coverage.url, { region, bins: countBins(region, bpPerPx), fetch });
    }

    async #send(region: Region, options: RequestOptions, observer: Observer): Promise<void> {
      options.statusCallback?.('Downloading reads');
      const file = await this.#open();
      const key = `${region.refName}:${region.start}-${region.end}`;
      const all = await this.#records.load(key, () => readRecords(file, region));
      core.checkStopToken(options.stopToken);
      const records = all.filter((record) => passesCriteria(record, options.filterBy));
      const reference = records.some(lacksMd) ? await readReference(this, region, records) : undefined;
      const referenceNames = file.references.map(({ name }) => name);
      const ids = new FeatureIds(this.id);
      for (const record of records) {
        const { name, flags, start, end } = record;
        const id = ids.next(`${name}/${flags}/${start}-${end}`);
        observer.next(new ReadFeature({ id, record, referenceNames, reference }));
      }
      options.statusCallback?.('');
    }
  };
}

function openReads(core: JBrowseCore, adapter: FeatureAdapter): Promise<AlignmentFile> {
  const htsget = requireLocation(adapter, 'htsgetLocation');
  return openBam({ htsget: htsget.url, format: 'BAM', fetch: fetchOf(core, adapter, [htsget]) });
}

async function readRecords(
  file: AlignmentFile,
  { refName: referenceName, start, end }: Region,
): Promise<Weighted<readonly AlignmentRecord[]>> {
  const value: AlignmentRecord[] = [];
  let weight = 0;
  const region = { referenceName, start: Math.floor(start), end: Math.ceil(end) };
  for await (const record of file.records(region, { skipUnknown: true })) {
    value.push(record);
    weight += record.bytes.length;
  }
  return { value, weight };
}

/** Returns whether a display shows a read. */
function passesCriteria(record: AlignmentRecord, criteria: ReadCriteria = {}): boolean {
  const { flagInclude = 0, flagExclude = 0, readName, tagFilter } = criteria;
  const { flags } = record;
  if ((flags & flagInclude) !== flagInclude || (flags & flagExclude) !== 0) return false;
  if (readName && record.name !== readName) return false;
  if (!tagFilter) return true;
  const value = record.tag(tagFilter.tag);
  // As in JBrowse: the asterisk selects the reads without the tag.
  return tagFilter.value === '*' ? value === undefined : String(value) === tagFilter.value;
}

const lacksMd = (record: AlignmentRecord): boolean => !record.isUnmapped && record.tag('MD') === undefined;

/** Returns the bases of the assembly that records cover; undefined if the adapter has no assembly. */
async function readReference(
  adapter: FeatureAdapter,
  { refName, originalRefName }: Region,
  records: readonly AlignmentRecord[],
): Promise<ReferenceBases | undefined> {
  const config = adapter.sequenceAdapterConfig ?? (adapter.getConf('sequenceAdapter') as object | null);
  if (!config) return undefined;
  const subAdapter = await adapter.getSubAdapter?.(config);
  if (subAdapter === undefined) return undefined;
  let [start, end] = [Number.MAX_SAFE_INTEGER, 0];
  for (const record of records) [start, end] = [Math.min(start, record.start), Math.max(end, record.end)];
  const wanted = { refName: originalRefName ?? refName, start, end, assemblyName: '' };
  const features = await collectFeatures((subAdapter.dataAdapter as FeatureAdapter).getFeatures(wanted));
  const bases = features.map((feature) => String(feature.get('seq'))).join('');
  return { bases, start };
}
