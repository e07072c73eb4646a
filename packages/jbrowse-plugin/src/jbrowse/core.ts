import type { AdapterConstructor, BaseFeatureAdapterConstructor, Observer } from './adapter.js';

/** The location of a file in a configuration of JBrowse: a URL, possibly relative to the configuration, or a local file. */
export interface FileLocation {
  readonly uri?: string;
  readonly baseUri?: string;
  readonly locationType?: string;
}

/** A schema of a configuration, which JBrowse makes. */
interface ConfigurationSchema {
  create(snapshot?: object, environment?: object): unknown;
}

/** A slot of a configuration. */
export interface ConfigurationSlot {
  readonly type: 'fileLocation' | 'frozen' | 'number' | 'string';
  readonly description: string;
  readonly defaultValue: unknown;
}

/** The registration of an adapter. */
export interface AdapterDefinition {
  readonly name: string;
  readonly displayName: string;
  readonly configSchema: ConfigurationSchema;
  readonly adapterCapabilities?: readonly string[];
  readonly getAdapterClass: () => Promise<AdapterConstructor>;
}

/** An element of JBrowse that a plugin may change: here an adapter. */
export interface PluggableElement {
  readonly name: string;
  getAdapterClass?: () => Promise<AdapterConstructor>;
}

/** The part of JBrowse's plugin manager that the plugin calls. */
export interface PluginManager {
  /** Returns a module that JBrowse shares with plugins. */
  jbrequire(name: string): unknown;
  addAdapterType(create: () => unknown): void;
  addToExtensionPoint(name: string, extend: (element: PluggableElement) => PluggableElement): void;
}

/** The parts of JBrowse that the adapters are built on, the same in JBrowse 2, 3 and 4. */
export interface JBrowseCore {
  readonly BaseFeatureDataAdapter: BaseFeatureAdapterConstructor;
  readonly BaseSequenceAdapter: BaseFeatureAdapterConstructor;
  readonly AdapterType: new (definition: AdapterDefinition) => unknown;
  readonly createSchema: (
    name: string,
    slots: Readonly<Record<string, ConfigurationSlot>>,
    options: { readonly explicitlyTyped: true },
  ) => ConfigurationSchema;
  /** Creates an observable, and throws if the token was stopped before. A rejection becomes the error of the observable. */
  readonly createObservable: (run: (observer: Observer) => Promise<void> | void, stopToken?: unknown) => object;
  /** Throws if the user does not wait for the result any more. */
  readonly checkStopToken: (stopToken: unknown) => void;
  /** Returns what fetches a location, with the token of the internet account for it. */
  readonly getFetcher: (location: FileLocation, pluginManager: unknown) => typeof fetch;
  readonly openLocation: (location: FileLocation, pluginManager: unknown) => object;
}

/** Returns the parts of JBrowse, whatever loaded the plugin: JBrowse Web, an embedded view, or a worker. */
export function requireCore(pluginManager: PluginManager): JBrowseCore {
  const load = <Module>(name: string): Module => pluginManager.jbrequire(`@jbrowse/core/${name}`) as Module;
  const adapters =
    load<Pick<JBrowseCore, 'BaseFeatureDataAdapter' | 'BaseSequenceAdapter'>>('data_adapters/BaseAdapter');
  const { AdapterType } = load<Pick<JBrowseCore, 'AdapterType'>>('pluggableElementTypes');
  const { ConfigurationSchema } = load<{ readonly ConfigurationSchema: JBrowseCore['createSchema'] }>('configuration');
  const { ObservableCreate } = load<{ readonly ObservableCreate: JBrowseCore['createObservable'] }>('util/rxjs');
  const { getFetcher, openLocation } = load<Pick<JBrowseCore, 'getFetcher' | 'openLocation'>>('util/io');
  // JBrowse 4 shares it. Before, to create an observable is what checks a token.
  const { checkStopToken = (stopToken: unknown) => void ObservableCreate(() => undefined, stopToken) } =
    load<Partial<Pick<JBrowseCore, 'checkStopToken'>>>('util');
  return {
    BaseFeatureDataAdapter: adapters.BaseFeatureDataAdapter,
    BaseSequenceAdapter: adapters.BaseSequenceAdapter,
    AdapterType,
    createSchema: ConfigurationSchema,
    createObservable: ObservableCreate,
    checkStopToken,
    getFetcher,
    openLocation,
  };
}
