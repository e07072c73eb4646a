import { toCoverageFeatures } from '../features/coverage-bins.js';
import {
  type AdapterConstructor,
  type DensityStats,
  forwardFeatures,
  type Observer,
  type Region,
  type RequestOptions,
} from '../jbrowse/adapter.js';
import type { JBrowseCore, PluginManager } from '../jbrowse/core.js';
import type { CoverageReader } from './reads-adapter.js';

/** The adapter of JBrowse that counts the reads of a track for the panel above them. */
const SNP_COVERAGE = 'SNPCoverageAdapter';

/** Lets tracks of reads show the depth that the server has when JBrowse would refuse to show that many reads. */
export function extendSnpCoverage(pluginManager: PluginManager, core: JBrowseCore): void {
  pluginManager.addToExtensionPoint('Core-extendPluggableElement', (element) => {
    const { getAdapterClass } = element;
    if (element.name !== SNP_COVERAGE || getAdapterClass === undefined) return element;
    element.getAdapterClass = async () => withCoverage(core, await getAdapterClass());
    return element;
  });
}

/** Returns the class of an adapter that counts reads, which asks the adapter of the reads for their depth first. */
function withCoverage(core: JBrowseCore, SnpCoverageAdapter: AdapterConstructor): AdapterConstructor {
  return class HtskitSnpCoverageAdapter extends SnpCoverageAdapter {
    override getFeatures(region: Region, options: RequestOptions = {}): object {
      return core.createObservable(async (observer) => {
        if (!(await this.#sendCoverage(region, options, observer))) {
          forwardFeatures(super.getFeatures(region, options), observer);
        }
      }, options.stopToken);
    }

    override async getMultiRegionFeatureDensityStats(
      regions: readonly Region[],
      options: RequestOptions = {},
    ): Promise<DensityStats> {
      const counted = await super.getMultiRegionFeatureDensityStats(regions, options);
      // No region has too many bins.
      return (await this.#reader())?.hasCoverage === true ? { featureDensity: 0 } : counted;
    }

    override async getMultiRegionQuantitativeStats(
      regions: readonly Region[],
      options: RequestOptions = {},
    ): Promise<unknown> {
      // JBrowse 4 counts reads for them. The base class takes the features.
      return (await this.#reader())?.hasCoverage === true
        ? core.BaseFeatureDataAdapter.prototype.getMultiRegionQuantitativeStats.call(this, regions, options)
        : super.getMultiRegionQuantitativeStats(regions, options);
    }

    async #sendCoverage(region: Region, options: RequestOptions, observer: Observer): Promise<boolean> {
      const bins = await (await this.#reader())?.readCoverage(region, options);
      if (bins === undefined) return false;
      for (const feature of toCoverageFeatures(region.refName, bins, toSnpInfo)) observer.next(feature);
      observer.complete();
      return true;
    }

    async #reader(): Promise<CoverageReader | undefined> {
      const opened = await this.getSubAdapter?.(this.getConf('subadapter') as object);
      const adapter = opened?.dataAdapter;
      return adapter !== undefined && 'readCoverage' in adapter ? (adapter as CoverageReader) : undefined;
    }
  };
}

/** Returns what the renderer of the panel draws: a depth without mismatches. */
function toSnpInfo(depth: number): object {
  const readsCounted = Math.round(depth * 10) / 10;
  const ref = { entryDepth: readsCounted, probabilities: [], '-1': 0, 0: 0, 1: 0 };
  return { snpinfo: { depth, readsCounted, ref, snps: {}, mods: {}, nonmods: {}, delskips: {}, noncov: {} } };
}
