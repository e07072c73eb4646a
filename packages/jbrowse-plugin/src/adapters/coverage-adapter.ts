import { type AlignmentFile, openBam } from '@htskit/records';
import { toCoverageFeatures } from '../features/coverage-bins.js';
import type { AdapterConstructor, DensityStats, Region, RequestOptions } from '../jbrowse/adapter.js';
import { type AdapterElement, fetchOf, requireLocation } from '../jbrowse/adapter-element.js';
import { cachedPromise } from '../jbrowse/cached-promise.js';
import type { JBrowseCore } from '../jbrowse/core.js';
import { locationSlot } from '../jbrowse/location.js';
import { countBins, fetchCoverage } from '../services/coverage-service.js';

export const COVERAGE_ADAPTER: AdapterElement = {
  name: 'HtskitCoverageAdapter',
  displayName: 'depth of reads (htskit)',
  slots: {
    coverageLocation: locationSlot(
      'the depth of reads on a server of htskit: https://data.example.org/coverage/NA12878',
    ),
    htsgetLocation: locationSlot('the ticket of the same reads, whose header has the names of references'),
  },
  capabilities: ['hasResolution', 'hasLocalStats'],
  createClass: createCoverageAdapter,
};

function createCoverageAdapter(core: JBrowseCore): AdapterConstructor {
  return class HtskitCoverageAdapter extends core.BaseFeatureDataAdapter {
    readonly #open = cachedPromise((): Promise<AlignmentFile> => {
      const htsget = requireLocation(this, 'htsgetLocation');
      return openBam({ htsget: htsget.url, format: 'BAM', fetch: fetchOf(core, this, [htsget]) });
    });

    override async getRefNames(): Promise<readonly string[]> {
      return (await this.#open()).references.map(({ name }) => name);
    }

    override getFeatures(region: Region, options: RequestOptions = {}): object {
      return core.createObservable(async (observer) => {
        const { bpPerPx = 1, resolution = 1, statusCallback } = options;
        statusCallback?.('Downloading depth');
        const coverage = requireLocation(this, 'coverageLocation');
        const request = {
          region,
          bins: countBins(region, bpPerPx / resolution),
          fetch: fetchOf(core, this, [coverage]),
        };
        const bins = await fetchCoverage(coverage.url, request);
        for (const feature of toCoverageFeatures(region.refName, bins)) observer.next(feature);
        statusCallback?.('');
        observer.complete();
      }, options.stopToken);
    }

    /** There are at most as many bins as pixels, so that no region has too many. */
    override getMultiRegionFeatureDensityStats(): Promise<DensityStats> {
      return Promise.resolve({ featureDensity: 0 });
    }
  };
}
