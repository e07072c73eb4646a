import {
  type AdapterConstructor,
  collectFeatures,
  type Feature,
  type FeatureAdapter,
  type Observer,
  type Region,
  type RequestOptions,
} from '../src/jbrowse/adapter.js';
import type { AdapterDefinition, FileLocation, PluggableElement, PluginManager } from '../src/jbrowse/core.js';
import { HtskitPlugin } from '../src/plugin.js';

/** Returns a location of a configuration. */
export const toLocation = (uri: string): FileLocation => ({ uri, locationType: 'UriLocation' });

/** The base classes of JBrowse, as far as adapters use them. */
class BaseFeatureDataAdapter implements FeatureAdapter {
  readonly id = 'adapter';
  readonly getSubAdapter?: FeatureAdapter['getSubAdapter'];
  readonly pluginManager: unknown;
  readonly #config: Readonly<Record<string, unknown>>;

  constructor(config: unknown = {}, getSubAdapter?: FeatureAdapter['getSubAdapter'], pluginManager?: unknown) {
    this.#config = config as Readonly<Record<string, unknown>>;
    if (getSubAdapter !== undefined) this.getSubAdapter = getSubAdapter;
    this.pluginManager = pluginManager;
  }

  getConf(slot: string): unknown {
    return this.#config[slot];
  }

  getFeatures(_region: Region, _options?: RequestOptions): object {
    throw new Error('an adapter has features');
  }

  getRefNames(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  getHeader(): Promise<unknown> {
    return Promise.resolve(null);
  }

  getMetadata(): Promise<unknown> {
    return Promise.resolve(null);
  }

  /** Counts the features about the first quarter of the first region, in twice as many bases until there are 70. */
  async getMultiRegionFeatureDensityStats(regions: readonly Region[]): Promise<{ readonly featureDensity: number }> {
    const [region] = regions;
    if (region === undefined) return { featureDensity: 0 };
    const center = region.start * 0.75 + region.end * 0.25;
    for (let length = 1000; ; length *= 2) {
      const start = Math.max(0, Math.round(center - length / 2));
      const end = Math.min(Math.round(center + length / 2), region.end);
      const { length: count } = await collectFeatures(this.getFeatures({ ...region, start, end }));
      if (count >= 70 || length * 2 > region.end - region.start) return { featureDensity: count / length };
    }
  }

  async getMultiRegionQuantitativeStats(regions: readonly Region[], options?: RequestOptions): Promise<unknown> {
    const features = await Promise.all(regions.map((region) => collectFeatures(this.getFeatures(region, options))));
    return { scoreMax: Math.max(...features.flat().map((feature) => Number(feature.get('score')))) };
  }

  freeResources(): void {
    // Nothing is held.
  }
}

/** Counts reads, as that of JBrowse does: without mismatches, and one feature for each base. */
class SNPCoverageAdapter extends BaseFeatureDataAdapter {
  override getFeatures(region: Region, options?: RequestOptions): object {
    return createObservable(async (observer) => {
      const reads = await this.#reads();
      const features = await collectFeatures(reads.getFeatures(region, options));
      for (const feature of features) observer.next(feature);
      observer.complete();
    });
  }

  override async getMultiRegionFeatureDensityStats(
    regions: readonly Region[],
  ): Promise<{ readonly featureDensity: number }> {
    return (await this.#reads()).getMultiRegionFeatureDensityStats(regions) as Promise<{ featureDensity: number }>;
  }

  override getMultiRegionQuantitativeStats(): Promise<unknown> {
    return Promise.resolve('of reads');
  }

  async #reads(): Promise<FeatureAdapter> {
    const opened = await this.getSubAdapter?.(this.getConf('subadapter') as object);
    return opened?.dataAdapter as FeatureAdapter;
  }
}

function createObservable(run: (observer: Observer) => Promise<void> | void, stopToken?: unknown): object {
  checkStopToken(stopToken);
  return {
    subscribe: (observer: Observer) => void Promise.resolve(run(observer)).catch((error) => observer.error(error)),
  };
}

function checkStopToken(stopToken: unknown): void {
  if (stopToken === 'stopped') throw new Error('aborted');
}

/** The configuration of an adapter. */
export interface AdapterConfig {
  readonly type: string;
  readonly [slot: string]: unknown;
}

/** The registered slots of a configuration, whose defaults its values extend. */
interface Schema {
  readonly slots: Readonly<Record<string, { readonly defaultValue: unknown }>>;
}

/** JBrowse with the plugin, as far as adapters use it. */
export class JBrowse {
  readonly #elements = new Map<string, AdapterDefinition>();
  readonly #adapters = new Map<string, Promise<FeatureAdapter>>();
  /** The token that an internet account has for URLs which begin so. */
  readonly #accounts: Readonly<Record<string, string>>;

  constructor(accounts: Readonly<Record<string, string>> = {}) {
    this.#accounts = accounts;
    let extend = (element: PluggableElement): PluggableElement => element;
    const types: (() => unknown)[] = [
      () => ({ name: 'SNPCoverageAdapter', getAdapterClass: async () => SNPCoverageAdapter as AdapterConstructor }),
    ];
    const manager: PluginManager = {
      jbrequire: (name) => this.#modules()[name],
      addAdapterType: (create) => types.push(create),
      addToExtensionPoint: (_, extension) => {
        extend = extension;
      },
    };
    new HtskitPlugin().install(manager);
    for (const create of types) {
      const element = extend(create() as PluggableElement) as AdapterDefinition;
      this.#elements.set(element.name, element);
    }
  }

  /** The names of the adapters. */
  get adapterTypes(): readonly string[] {
    return [...this.#elements.keys()];
  }

  /** Returns the names of the adapters of the plugin with those of their slots. */
  slots(): readonly (readonly [string, readonly string[]])[] {
    return Array.from(this.#elements.values())
      .filter(({ configSchema }) => configSchema !== undefined)
      .map(({ name, configSchema }) => [name, Object.keys((configSchema as unknown as Schema).slots)]);
  }

  /** Returns the adapter of a configuration, which is created once. */
  open<Adapter extends FeatureAdapter = FeatureAdapter>(config: AdapterConfig): Promise<Adapter> {
    const key = JSON.stringify(config);
    const known = this.#adapters.get(key) ?? this.#create(config);
    this.#adapters.set(key, known);
    return known as Promise<Adapter>;
  }

  async #create(config: AdapterConfig): Promise<FeatureAdapter> {
    const element = this.#elements.get(config.type);
    if (element === undefined) throw new Error(`there is no adapter ${config.type}`);
    const slots = (element.configSchema as Partial<Schema> | undefined)?.slots ?? {};
    const defaults = Object.fromEntries(Object.entries(slots).map(([name, { defaultValue }]) => [name, defaultValue]));
    const getSubAdapter = async (sub: object): Promise<{ readonly dataAdapter: object }> => ({
      dataAdapter: await this.open(sub as AdapterConfig),
    });
    const Adapter = await element.getAdapterClass();
    return new Adapter({ ...defaults, ...config }, getSubAdapter, 'manager');
  }

  /** Returns the features of a region. */
  async features(config: AdapterConfig, region: Region, options?: RequestOptions): Promise<readonly Feature[]> {
    return collectFeatures((await this.open(config)).getFeatures(region, options));
  }

  #modules(): Readonly<Record<string, object>> {
    const getFetcher =
      ({ uri = '' }: FileLocation) =>
      (url: string, init: RequestInit): Promise<Response> => {
        const token = Object.entries(this.#accounts).find(([domain]) => uri.startsWith(domain))?.[1];
        const headers = new Headers(init.headers);
        if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
        return fetch(url, { ...init, headers });
      };
    return {
      '@jbrowse/core/data_adapters/BaseAdapter': {
        BaseFeatureDataAdapter,
        BaseSequenceAdapter: BaseFeatureDataAdapter,
      },
      '@jbrowse/core/pluggableElementTypes': { AdapterType },
      '@jbrowse/core/configuration': { ConfigurationSchema: (_: string, slots: Schema['slots']) => ({ slots }) },
      '@jbrowse/core/util/rxjs': { ObservableCreate: createObservable },
      '@jbrowse/core/util/io': { getFetcher, openLocation: () => ({}) },
      '@jbrowse/core/util': {},
    };
  }
}

/** The registration of an adapter in JBrowse. */
class AdapterType {
  constructor(definition: AdapterDefinition) {
    Object.assign(this, definition);
  }
}
