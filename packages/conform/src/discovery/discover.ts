import { ConformError } from '../conform-error.js';
import { type Answer, isJsonObject, type JsonObject } from '../engine/answer.js';
import type { Probe } from '../engine/probe.js';
import { findSequences } from './list-collections.js';

/** The paths below a URL at which services are looked for, each with the member that its service-info has. */
const SERVICES = { reads: 'htsget', variants: 'htsget', sequence: 'refget', collection: 'seqcol', drs: 'drs' } as const;

/** The path that DRS prescribes. */
const DRS_PATH = 'ga4gh/drs/v1';

export type ServicePath = keyof typeof SERVICES;

/** A service of one protocol and datatype. */
export interface DiscoveredService {
  readonly path: ServicePath;
  /** The URL that ids are appended to after a slash. */
  readonly endpoint: string;
  /** The answer to `GET /service-info`, whatever its status. */
  readonly info: Answer;
}

/** What is known of a target before any rule runs. */
export interface Discovery {
  /** The URL that the paths of the services begin with, without a slash at its end. */
  readonly base: string;
  readonly services: readonly DiscoveredService[];
  /**
   * The ids that the target lists: objects as htskit does, since htsget and DRS have no listing, collections by their protocol, and the
   * sequences of collections.
   */
  readonly listed: Readonly<Record<ServicePath, readonly string[]>>;
  /** The name that the first service gives itself. */
  readonly name: string;
}

/** Ids that the caller names. */
export type KnownIds = Readonly<Record<ServicePath, readonly string[] | undefined>>;

/**
 * Asks for the service-info documents below a URL, and for a list of objects. A service whose ids the caller names is taken to exist
 * even without a service-info. Throws `ConformError` INVALID_TARGET or NO_SERVICE, and NO_ANSWER if no request is answered.
 */
export async function discover(text: string, probe: Probe, ids: KnownIds): Promise<Discovery> {
  const base = parseBase(text);
  const services: DiscoveredService[] = [];
  let failure: unknown;
  for (const path of Object.keys(SERVICES) as ServicePath[]) {
    const endpoint = `${base}/${path === 'drs' ? DRS_PATH : path}`;
    try {
      const info = await probe.ask({ url: `${path === 'collection' ? base : endpoint}/service-info` });
      if ((ids[path]?.length ?? 0) > 0 || isServiceInfo(info, path)) services.push({ path, endpoint, info });
    } catch (error) {
      failure = error;
    }
  }
  if (services.length === 0) {
    if (failure !== undefined) throw failure;
    const expected = 'expected the part of its URLs before /reads, /variants, /sequence or /collection';
    throw new ConformError('NO_SERVICE', `no htsget or refget service answers below the URL; ${expected}`);
  }
  const name = services.map(({ info }) => info.object?.['name']).find((value) => typeof value === 'string');
  const hasCollections = services.some(({ path }) => path === 'collection');
  const listed = { ...(await findListing(base, probe)), ...(await findSequences(base, probe, hasCollections)) };
  return { base, services, listed, name: name ?? base };
}

/** Returns the ids that a target lists. A target without a list need not answer. */
async function findListing(base: string, probe: Probe): Promise<ReturnType<typeof parseListing>> {
  try {
    const { object } = await probe.ask({ url: `${base}/`, headers: { accept: 'application/json' } });
    return parseListing(object);
  } catch (error) {
    if (error instanceof ConformError) return parseListing(undefined);
    throw error;
  }
}

/** Returns the URL without a trailing slash and without the path of a service. Throws `ConformError` INVALID_TARGET. */
function parseBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConformError('INVALID_TARGET', 'expected a URL that begins with https:// or http://');
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new ConformError('INVALID_TARGET', 'the URL must not have credentials, a query or a fragment');
  }
  return url.href.replace(/(?:\/(?:reads|variants|sequence|collection|ga4gh\/drs\/v1)(?:\/service-info)?)?\/*$/, '');
}

function isServiceInfo({ status, object }: Answer, path: ServicePath): boolean {
  if (status !== 200 || object === undefined) return false;
  const { type } = object;
  return isJsonObject(object[SERVICES[path]]) || (isJsonObject(type) && type['artifact'] === SERVICES[path]);
}

function parseListing(document: JsonObject | undefined): Pick<Discovery['listed'], 'reads' | 'variants' | 'drs'> {
  const objects: readonly unknown[] = Array.isArray(document?.['objects']) ? document['objects'] : [];
  const idsOf = (path: ServicePath): readonly string[] =>
    objects
      .filter((object) => isJsonObject(object) && object['datatype'] === path)
      .map((object) => (isJsonObject(object) ? object['id'] : undefined))
      .filter((id) => typeof id === 'string');
  const [reads, variants] = [idsOf('reads'), idsOf('variants')];
  return { reads, variants, drs: [...reads.map((id) => `reads/${id}`), ...variants.map((id) => `variants/${id}`)] };
}
