import type { Fetch } from '@htskit/http';
import type { ConfigurationSlot, FileLocation, JBrowseCore } from './core.js';

/** Returns a slot of a configuration for a URL. */
export function locationSlot(description: string): ConfigurationSlot {
  return { type: 'fileLocation', description, defaultValue: { uri: '', locationType: 'UriLocation' } };
}

/** Returns the absolute URL of a location; undefined for a location that is not set or not a URL. */
export function locationUrl({ uri, baseUri }: FileLocation): string | undefined {
  return uri === undefined || uri === '' ? undefined : new URL(uri, baseUri).href;
}

/**
 * Returns what fetches URLs. Those of locations, and those below them, are sent the token of the internet account for the location,
 * which JBrowse brings into its workers. All others, such as the blocks of a ticket, are fetched without it.
 */
export function fetchWithAccounts(
  core: Pick<JBrowseCore, 'getFetcher'>,
  locations: ReadonlyMap<string, FileLocation>,
  pluginManager: unknown,
): Fetch {
  const fetchers = Array.from(
    locations,
    ([url, location]) => [toResource(url), core.getFetcher(location, pluginManager)] as const,
  );
  return (url, init) => {
    const resource = toResource(url);
    const fetcher = fetchers.find(([known]) => resource === known || resource.startsWith(`${known}/`))?.[1] ?? fetch;
    return fetcher(url, init);
  };
}

/** Returns a URL without its query. */
function toResource(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
