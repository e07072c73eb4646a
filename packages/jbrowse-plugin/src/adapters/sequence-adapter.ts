import { toFeature } from '../features/plain-feature.js';
import type { AdapterConstructor, FeatureAdapter, Region, RequestOptions } from '../jbrowse/adapter.js';
import { type AdapterElement, findLocation, type LocatedUrl, requireLocation } from '../jbrowse/adapter-element.js';
import { cachedPromise } from '../jbrowse/cached-promise.js';
import type { JBrowseCore } from '../jbrowse/core.js';
import { fetchWithAccounts, locationSlot } from '../jbrowse/location.js';
import { SequenceCollection } from '../services/collection-service.js';

export const SEQUENCE_ADAPTER: AdapterElement = {
  name: 'HtskitSequenceAdapter',
  displayName: 'sequence collection of a refget server (htskit)',
  slots: {
    collectionLocation: locationSlot('the collection, by its digest: https://data.example.org/collection/DIGEST'),
    refgetLocation: locationSlot('the refget service that has its sequences. Default: the server of the collection'),
  },
  createClass: createSequenceAdapter,
};

function createSequenceAdapter(core: JBrowseCore): AdapterConstructor {
  return class HtskitSequenceAdapter extends core.BaseSequenceAdapter {
    readonly #open = cachedPromise(() => openCollection(core, this));

    override async getRefNames(): Promise<readonly string[]> {
      return [...(await this.#open()).sequences.keys()];
    }

    /** The sequences of the assembly. */
    async getRegions(): Promise<readonly Region[]> {
      const { sequences } = await this.#open();
      return Array.from(sequences.values(), ({ name, length }) => ({ refName: name, start: 0, end: length }));
    }

    override getFeatures(region: Region, options: RequestOptions = {}): object {
      return core.createObservable(async (observer) => {
        const { refName, end } = region;
        options.statusCallback?.('Downloading sequence');
        const start = Math.max(0, Math.floor(region.start));
        const seq = await (await this.#open()).bases(refName, start, Math.ceil(end));
        const place = { refName, start, end: start + (seq?.length ?? 0) };
        if (seq) observer.next(toFeature({ uniqueId: `${refName}:${place.start}-${place.end}`, ...place, seq }));
        options.statusCallback?.('');
        observer.complete();
      }, options.stopToken);
    }
  };
}

function openCollection(core: JBrowseCore, adapter: FeatureAdapter): Promise<SequenceCollection> {
  const collection = requireLocation(adapter, 'collectionLocation');
  const service = findLocation(adapter, 'refgetLocation') ?? ownService(collection);
  const refgetUrl = service.url.replace(/\/+$/, '');
  const locations = new Map([
    [collection.url, collection.location],
    [`${refgetUrl}/sequence`, service.location],
  ]);
  return SequenceCollection.open(collection.url, {
    refgetUrl,
    fetch: fetchWithAccounts(core, locations, adapter.pluginManager),
  });
}

/** Returns the service that a collection belongs to. */
function ownService({ url, location }: LocatedUrl): LocatedUrl {
  const [, base] = /^(.*)\/collection\/[^/]+$/.exec(url.replace(/[?#].*$/, '')) ?? [];
  if (base === undefined) throw new Error('collectionLocation of the adapter is not the URL of a sequence collection');
  return { url: base, location };
}
