import { openVariants, type RecordSource, type VariantFile } from '@htskit/records';
import { FeatureIds } from '../features/plain-feature.js';
import { VariantFeature } from '../features/variant-feature.js';
import { readDescriptions } from '../features/variant-metadata.js';
import type {
  AdapterConstructor,
  DensityStats,
  FeatureAdapter,
  Observer,
  Region,
  RequestOptions,
} from '../jbrowse/adapter.js';
import { type AdapterElement, fetchOf, findLocation, requireLocation } from '../jbrowse/adapter-element.js';
import { cachedPromise } from '../jbrowse/cached-promise.js';
import type { FileLocation, JBrowseCore } from '../jbrowse/core.js';
import { locationSlot } from '../jbrowse/location.js';

/** Records between two looks at whether the user still waits. */
const CHECKED_RECORDS = 1024;
/** Compressed bytes beyond which JBrowse asks before it reads a region. */
const MOST_BYTES = 5_000_000;

export const VARIANTS_ADAPTER: AdapterElement = {
  name: 'HtskitVariantsAdapter',
  displayName: 'htsget variants (htskit)',
  slots: { htsgetLocation: locationSlot('the URL of the ticket, such as https://data.example.org/variants/NA12878') },
  createClass: (core) =>
    createVariantsAdapter(core, (adapter) => {
      const htsget = requireLocation(adapter, 'htsgetLocation');
      return openVariants({ htsget: htsget.url, fetch: fetchOf(core, adapter, [htsget]) });
    }),
};

export const BCF_ADAPTER: AdapterElement = {
  name: 'HtskitBcfAdapter',
  displayName: 'BCF file (htskit)',
  slots: {
    bcfLocation: locationSlot('a BCF file, or a VCF file that bgzip compressed'),
    indexLocation: locationSlot('its index. Default: the name of the file and .csi'),
  },
  createClass: (core) => createVariantsAdapter(core, (adapter) => openFile(core, adapter)),
};

/** Opens a file at a URL, or a file of the user, which JBrowse opens. */
function openFile(core: JBrowseCore, adapter: FeatureAdapter): Promise<VariantFile> {
  const file = findLocation(adapter, 'bcfLocation');
  const indexLocation = adapter.getConf('indexLocation') as FileLocation;
  if (file === undefined) {
    const open = (location: FileLocation): Filehandle =>
      core.openLocation(location, adapter.pluginManager) as Filehandle;
    return openVariants(open(adapter.getConf('bcfLocation') as FileLocation), { index: open(indexLocation) });
  }
  const index = findLocation(adapter, 'indexLocation') ?? { url: addExtension(file.url), location: file.location };
  return openVariants(file.url, { index: index.url, http: { fetch: fetchOf(core, adapter, [file, index]) } });
}

/** A filehandle of JBrowse 3 and 4. */
type Filehandle = Exclude<RecordSource, string | URL>;

function addExtension(url: string): string {
  const index = new URL(url);
  index.pathname += '.csi';
  return index.href;
}

function createVariantsAdapter(
  core: JBrowseCore,
  open: (adapter: FeatureAdapter) => Promise<VariantFile>,
): AdapterConstructor {
  return class HtskitVariantsAdapter extends core.BaseFeatureDataAdapter {
    readonly #open = cachedPromise(() => open(this));

    override async getRefNames(): Promise<readonly string[]> {
      return (await this.#open()).references.map(({ name }) => name);
    }

    override async getHeader(): Promise<string> {
      return (await this.#open()).headerText;
    }

    /** The descriptions of keys, filters and alleles, which JBrowse shows beside their values. */
    override async getMetadata(): Promise<object> {
      return readDescriptions((await this.#open()).headerText);
    }

    /** The samples, for displays with a row for each. */
    async getSources(): Promise<readonly { readonly name: string }[]> {
      return (await this.#open()).header.samples.map((name) => ({ name }));
    }

    override getFeatures(region: Region, options: RequestOptions = {}): object {
      return core.createObservable(async (observer) => {
        await this.#send(region, options, observer);
        observer.complete();
      }, options.stopToken);
    }

    override async getMultiRegionFeatureDensityStats(
      regions: readonly Region[],
      options: RequestOptions = {},
    ): Promise<DensityStats> {
      const file = await this.#open();
      const wanted = regions.map(toRegion);
      const bytes = await file.estimateBytes(wanted, { skipUnknown: true });
      return bytes === undefined
        ? super.getMultiRegionFeatureDensityStats(regions, options)
        : { bytes, fetchSizeLimit: MOST_BYTES };
    }

    async #send(region: Region, { statusCallback, stopToken }: RequestOptions, observer: Observer): Promise<void> {
      statusCallback?.('Downloading variants');
      const file = await this.#open();
      const ids = new FeatureIds(this.id);
      let count = 0;
      for await (const record of file.records(toRegion(region), { skipUnknown: true })) {
        if (count++ % CHECKED_RECORDS === 0) core.checkStopToken(stopToken);
        const { start, end, ref, alt } = record;
        observer.next(new VariantFeature(record, ids.next(`${start}-${end}-${ref}-${alt.join()}`)));
      }
      statusCallback?.('');
    }
  };
}

function toRegion({ refName, start, end }: Region): { referenceName: string; start: number; end: number } {
  return { referenceName: refName, start: Math.floor(start), end: Math.ceil(end) };
}
