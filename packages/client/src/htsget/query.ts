import { parseHttpUrl } from '@htskit/http/internal';
import { encodePercents } from '@htskit/io/internal';
import {
  type Datatype,
  type EncryptionScheme,
  type FieldName,
  FORMATS,
  type HtsgetFormat,
  type HtsgetRegion,
  TICKET_FORMATS,
} from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';

/** The URL of a ticket, or an object of a service by its id. */
export type HtsgetEndpoint = string | { readonly baseUrl: string; readonly datatype: Datatype; readonly id: string };

/** A query (htsget 1.3.1, "GET query parameters"). Undefined parameters are not sent. Coordinates are 0-based, half-open. */
export interface HtsgetClientQuery {
  readonly format?: HtsgetFormat;
  /** Requests only the header. */
  readonly class?: 'header';
  /** `*` requests the unplaced reads. */
  readonly referenceName?: string;
  readonly start?: number;
  readonly end?: number;
  /** Replaces the three above. Several regions are sent by POST. */
  readonly regions?: readonly HtsgetRegion[];
  readonly fields?: readonly FieldName[];
  /** An empty list requests no tags. */
  readonly tags?: readonly string[];
  readonly notags?: readonly string[];
  /**
   * The names of the samples to keep; an empty list requests sites only. An extension, as all of the following: services ignore it
   * unless their service-info announces it. A list that a URL cannot hold is sent by POST.
   */
  readonly samples?: readonly string[];
  /** Requests that INFO keys over all samples keep their values even if samples are left out. */
  readonly keepsAggregates?: boolean;
  /** Reads only: the bits of FLAG that must all be set, and those that must not be set. */
  readonly requireFlags?: number;
  readonly excludeFlags?: number;
  /** Reads only: the least mapping quality. */
  readonly minMappingQuality?: number;
  /** Requests an encrypted answer: the options `recipient` and `identity` of `openHtsget` set it. */
  readonly encryptionScheme?: EncryptionScheme;
}

/** The request that a query is sent by. */
export interface TicketRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  /** Format of the answer, or undefined if unknown. */
  readonly format: HtsgetFormat | undefined;
  /** Whether the answer is only a header, and not a whole file. */
  readonly isHeader: boolean;
}

/** Samples of more characters are sent by POST: servers limit URLs to 8,000 characters or more. */
const MAX_SAMPLE_CHARACTERS = 2000;

/**
 * Returns the request of a query: a POST for several regions, for samples that a URL cannot hold, and if `method` says so, a GET
 * otherwise. Throws INVALID_QUERY.
 */
export function toTicketRequest(
  endpoint: HtsgetEndpoint,
  query: HtsgetClientQuery,
  method?: 'GET' | 'POST',
): TicketRequest {
  const regions = regionsOf(query);
  const url = toUrl(endpoint);
  const format = expectedFormat(endpoint, url, query);
  const isHeader = (query.class ?? url.searchParams.get('class')) === 'header';
  const { fields, tags, notags, samples, keepsAggregates, requireFlags, excludeFlags, minMappingQuality } = query;
  const samplesUpdate = keepsAggregates === true ? 'off' : undefined;
  const others = {
    format: query.format,
    class: query.class,
    samplesUpdate,
    requireFlags,
    excludeFlags,
    minMappingQuality,
    encryptionScheme: query.encryptionScheme,
  };
  const needsBody = regions.length > 1 || !fitsUrl(samples);
  if ((method ?? (needsBody ? 'POST' : 'GET')) === 'POST') {
    const body = { ...others, fields, tags, notags, samples, ...(regions.length > 0 && { regions }) };
    return { url: url.href, method: 'POST', body: JSON.stringify(body), format, isHeader };
  }
  if (regions.length > 1) throw new HtsgetClientError('INVALID_QUERY', 'several regions need a POST');
  if (needsBody) throw new HtsgetClientError('INVALID_QUERY', 'samples with commas, and many samples, need a POST');
  const { referenceName, start, end } = regions[0] ?? {};
  const lists = { fields: fields?.join(), tags: tags?.join(), notags: notags?.join(), samples: samples?.join() };
  setParameters(url, { ...others, referenceName, start, end, ...lists });
  return { url: url.href, method: 'GET', format, isHeader };
}

/** Whether a URL can hold the names: they are separated by commas there. */
function fitsUrl(samples: readonly string[] = []): boolean {
  return !samples.some((name) => name.includes(',')) && samples.join().length <= MAX_SAMPLE_CHARACTERS;
}

/** Sets parameters of a query. `URLSearchParams` cannot hold names that are not UTF-8. */
function setParameters(url: URL, parameters: Readonly<Record<string, string | number | undefined>>): void {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  for (const [name] of given) url.searchParams.delete(name);
  const pairs = given.map(([name, value]) => `${name}=${encodePercents(String(value))}`);
  url.search = [url.search.slice(1), ...pairs].filter((pair) => pair !== '').join('&');
}

function toUrl(endpoint: HtsgetEndpoint): URL {
  const text = typeof endpoint === 'string' ? endpoint : `${endpoint.baseUrl.replace(/\/+$/, '')}/${toPath(endpoint)}`;
  const url = parseHttpUrl(text);
  if (url === undefined) {
    throw new HtsgetClientError('INVALID_QUERY', 'expected an absolute HTTP(S) URL without credentials');
  }
  return url;
}

/** An id may contain slashes, which are not encoded. */
function toPath({ datatype, id }: Exclude<HtsgetEndpoint, string>): string {
  const segments = id.split('/');
  if (id === '' || segments.some((segment) => segment === '.' || segment === '..')) {
    throw new HtsgetClientError('INVALID_QUERY', 'an id must not be empty or contain the segments "." and ".."');
  }
  return `${datatype}/${segments.map(encodeURIComponent).join('/')}`;
}

function expectedFormat(endpoint: HtsgetEndpoint, url: URL, query: HtsgetClientQuery): HtsgetFormat | undefined {
  const requested = query.format ?? url.searchParams.get('format')?.toUpperCase();
  if (requested !== undefined) return TICKET_FORMATS.find((format) => format === requested);
  return typeof endpoint === 'string' ? undefined : FORMATS[endpoint.datatype][0];
}

function regionsOf({ referenceName, start, end, regions }: HtsgetClientQuery): readonly HtsgetRegion[] {
  const isSingle = referenceName !== undefined || start !== undefined || end !== undefined;
  if (isSingle && regions !== undefined) {
    throw new HtsgetClientError('INVALID_QUERY', 'regions cannot be combined with referenceName, start and end');
  }
  if (regions?.length === 0) throw new HtsgetClientError('INVALID_QUERY', 'regions must contain at least one region');
  if (!isSingle) return (regions ?? []).map(checkRegion);
  if (referenceName === undefined) throw new HtsgetClientError('INVALID_QUERY', 'start and end need a referenceName');
  return [checkRegion({ referenceName, start, end })];
}

function checkRegion(region: HtsgetRegion): HtsgetRegion {
  for (const coordinate of [region.start, region.end]) {
    if (coordinate !== undefined && !(Number.isSafeInteger(coordinate) && coordinate >= 0)) {
      throw new HtsgetClientError('INVALID_QUERY', 'start and end must be integers from 0 to 2^53-1');
    }
  }
  return region;
}
