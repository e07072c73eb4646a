import type { AdapterConstructor, FeatureAdapter } from './adapter.js';
import type { ConfigurationSlot, FileLocation, JBrowseCore } from './core.js';
import { fetchWithAccounts, locationUrl } from './location.js';

/** An adapter of the plugin, before JBrowse is known. */
export interface AdapterElement {
  /** The `type` in configurations. */
  readonly name: string;
  readonly displayName: string;
  readonly slots: Readonly<Record<string, ConfigurationSlot>>;
  readonly capabilities?: readonly string[];
  readonly createClass: (core: JBrowseCore) => AdapterConstructor;
}

/** Returns what AdapterType of JBrowse registers. */
export function toAdapterType(core: JBrowseCore, element: AdapterElement): unknown {
  const { name, displayName, slots, capabilities = [], createClass } = element;
  const adapterClass = createClass(core);
  return new core.AdapterType({
    name,
    displayName,
    configSchema: core.createSchema(name, slots, { explicitlyTyped: true }),
    adapterCapabilities: capabilities,
    getAdapterClass: () => Promise.resolve(adapterClass),
  });
}

/** A URL of a configuration with its location. */
export interface LocatedUrl {
  readonly url: string;
  readonly location: FileLocation;
}

/** Returns the URL in a slot of an adapter; undefined if the slot is not set. */
export function findLocation(adapter: FeatureAdapter, slot: string): LocatedUrl | undefined {
  const location = adapter.getConf(slot) as FileLocation;
  const url = locationUrl(location);
  return url === undefined ? undefined : { url, location };
}

/** Returns the URL in a slot of an adapter. Throws if the slot is not set. */
export function requireLocation(adapter: FeatureAdapter, slot: string): LocatedUrl {
  const found = findLocation(adapter, slot);
  if (found === undefined) throw new Error(`${slot} of the adapter is not set`);
  return found;
}

/** Returns what fetches the URLs of an adapter, each with the token of its internet account. */
export function fetchOf(
  core: JBrowseCore,
  adapter: FeatureAdapter,
  located: readonly (LocatedUrl | undefined)[],
): ReturnType<typeof fetchWithAccounts> {
  const known = located.filter((each) => each !== undefined);
  return fetchWithAccounts(core, new Map(known.map(({ url, location }) => [url, location])), adapter.pluginManager);
}
