/** A region of a reference, 0-based and half-open. JBrowse names references as the adapter does. */
export interface Region {
  readonly refName: string;
  /** The name that the assembly has for the reference, if that is another one. */
  readonly originalRefName?: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly assemblyName?: string | undefined;
}

/** The reads that a display shows. */
export interface ReadCriteria {
  readonly flagInclude?: number;
  readonly flagExclude?: number;
  readonly readName?: string | undefined;
  /** The value `*` selects the reads without the tag. */
  readonly tagFilter?: { readonly tag: string; readonly value: string } | undefined;
}

/** The options of a request of JBrowse. */
export interface RequestOptions {
  readonly stopToken?: unknown;
  readonly statusCallback?: ((message: string) => void) | undefined;
  /** The zoom. */
  readonly bpPerPx?: number;
  /** A factor of the details: 5 after "Finer resolution". */
  readonly resolution?: number;
  readonly filterBy?: ReadCriteria | undefined;
}

/** A feature of JBrowse. */
export interface Feature {
  get(field: string): unknown;
  id(): string;
  parent(): undefined;
  children(): undefined;
  /** Returns what leaves a worker. */
  toJSON(): object;
}

/** Receives features. */
export interface Observer {
  next(feature: Feature): void;
  error(reason: unknown): void;
  complete(): void;
}

/** The observable of RxJS that JBrowse has. */
interface FeatureObservable {
  subscribe(observer: Observer): unknown;
}

/** The numbers by which JBrowse decides whether regions have too many features to be shown. */
export interface DensityStats {
  /** Features of a base. */
  readonly featureDensity?: number;
  /** Compressed bytes of the regions, and the most that JBrowse reads without a question. */
  readonly bytes?: number;
  readonly fetchSizeLimit?: number;
}

/** An adapter, as the base class of JBrowse declares it. */
export interface FeatureAdapter {
  readonly id: string;
  readonly pluginManager?: unknown;
  /** Set by JBrowse 4: the adapter of the assembly. */
  readonly sequenceAdapterConfig?: object;
  readonly getSubAdapter?: (config: object) => Promise<{ readonly dataAdapter: object }>;
  getConf(slot: string): unknown;
  getFeatures(region: Region, options?: RequestOptions): object;
  getRefNames(options?: RequestOptions): Promise<readonly string[]>;
  getHeader(options?: RequestOptions): Promise<unknown>;
  getMetadata(options?: RequestOptions): Promise<unknown>;
  getMultiRegionFeatureDensityStats(regions: readonly Region[], options?: RequestOptions): Promise<DensityStats>;
  getMultiRegionQuantitativeStats(regions: readonly Region[], options?: RequestOptions): Promise<unknown>;
  freeResources(region: Region): void;
}

/** A class of adapters. */
export type AdapterConstructor = new (
  config?: unknown,
  getSubAdapter?: FeatureAdapter['getSubAdapter'],
  pluginManager?: unknown,
) => FeatureAdapter;

export type BaseFeatureAdapterConstructor = AdapterConstructor;

/** Returns the features of an observable of JBrowse. */
export function collectFeatures(observable: object): Promise<readonly Feature[]> {
  const features: Feature[] = [];
  return new Promise((resolve, reject) => {
    (observable as FeatureObservable).subscribe({
      next: (feature) => features.push(feature),
      error: reject,
      complete: () => resolve(features),
    });
  });
}

/** Hands the features of an observable to an observer. */
export function forwardFeatures(observable: object, observer: Observer): void {
  (observable as FeatureObservable).subscribe(observer);
}
