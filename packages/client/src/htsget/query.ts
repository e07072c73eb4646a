import { type Datatype, type FieldName, FORMATS, type HtsgetFormat, type HtsgetRegion } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { parseHttpUrl } from '../transport/http-url.js';

/** Where tickets come from: the whole URL, or an object of a service by its id. */
export type HtsgetEndpoint = string | { readonly baseUrl: string; readonly datatype: Datatype; readonly id: string };

/** What to ask for (htsget 1.3.1, "GET query parameters"). What is left out is not sent. Coordinates are 0-based, half-open. */
export interface HtsgetClientQuery {
  readonly format?: HtsgetFormat | undefined;
  /** Only the header. */
  readonly class?: 'header' | undefined;
  /** `*`: the unplaced reads. */
  readonly referenceName?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** In place of the three above. Several are sent by POST. */
  readonly regions?: readonly HtsgetRegion[] | undefined;
  readonly fields?: readonly FieldName[] | undefined;
  /** Empty: no tags. */
  readonly tags?: readonly string[] | undefined;
  readonly notags?: readonly string[] | undefined;
}

/** A query as it is sent. */
export interface TicketRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  /** Of the answer; undefined where nothing tells. */
  readonly format: HtsgetFormat | undefined;
  /** Whether the answer is no whole file. */
  readonly isHeader: boolean;
}

/** Writes a query. Several regions need a POST, which other queries are sent by only if asked. Throws INVALID_QUERY. */
export function toTicketRequest(
  endpoint: HtsgetEndpoint,
  query: HtsgetClientQuery,
  method?: 'GET' | 'POST',
): TicketRequest {
  const regions = regionsOf(query);
  const url = toUrl(endpoint);
  const format = expectedFormat(endpoint, url, query);
  const isHeader = (query.class ?? url.searchParams.get('class')) === 'header';
  if ((method ?? (regions.length > 1 ? 'POST' : 'GET')) === 'POST') {
    const { format: asked, class: blockClass, fields, tags, notags } = query;
    const body = { format: asked, class: blockClass, fields, tags, notags, ...(regions.length > 0 && { regions }) };
    return { url: url.href, method: 'POST', body: JSON.stringify(body), format, isHeader };
  }
  if (regions.length > 1) throw new HtsgetClientError('INVALID_QUERY', 'several regions need a POST');
  const { referenceName, start, end } = regions[0] ?? {};
  const { fields, tags, notags } = query;
  const lists = { fields: fields?.join(), tags: tags?.join(), notags: notags?.join() };
  const parameters = { format: query.format, class: query.class, referenceName, start, end, ...lists };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return { url: url.href, method: 'GET', format, isHeader };
}

function toUrl(endpoint: HtsgetEndpoint): URL {
  const text = typeof endpoint === 'string' ? endpoint : `${endpoint.baseUrl.replace(/\/+$/, '')}/${toPath(endpoint)}`;
  const url = parseHttpUrl(text);
  if (url === undefined) {
    throw new HtsgetClientError('INVALID_QUERY', 'the service must have an absolute HTTP(S) URL without credentials');
  }
  return url;
}

/** An id may hold slashes, which stand as they are. */
function toPath({ datatype, id }: Exclude<HtsgetEndpoint, string>): string {
  const segments = id.split('/');
  if (id === '' || segments.some((segment) => segment === '.' || segment === '..')) {
    throw new HtsgetClientError('INVALID_QUERY', 'an id is not empty and has no segments "." and ".."');
  }
  return `${datatype}/${segments.map(encodeURIComponent).join('/')}`;
}

function expectedFormat(endpoint: HtsgetEndpoint, url: URL, query: HtsgetClientQuery): HtsgetFormat | undefined {
  const asked = query.format ?? url.searchParams.get('format')?.toUpperCase();
  const known = Object.values(FORMATS).flat();
  if (asked !== undefined) return known.find((format) => format === asked);
  return typeof endpoint === 'string' ? undefined : FORMATS[endpoint.datatype][0];
}

function regionsOf({ referenceName, start, end, regions }: HtsgetClientQuery): readonly HtsgetRegion[] {
  const isSingle = referenceName !== undefined || start !== undefined || end !== undefined;
  if (isSingle && regions !== undefined) {
    throw new HtsgetClientError('INVALID_QUERY', 'regions stand in place of referenceName, start and end');
  }
  if (regions?.length === 0) throw new HtsgetClientError('INVALID_QUERY', 'regions must hold at least one region');
  if (!isSingle) return (regions ?? []).map(checkRegion);
  if (referenceName === undefined) throw new HtsgetClientError('INVALID_QUERY', 'start and end need a referenceName');
  return [checkRegion({ referenceName, ...(start !== undefined && { start }), ...(end !== undefined && { end }) })];
}

function checkRegion(region: HtsgetRegion): HtsgetRegion {
  for (const coordinate of [region.start, region.end]) {
    if (coordinate !== undefined && !(Number.isSafeInteger(coordinate) && coordinate >= 0)) {
      throw new HtsgetClientError('INVALID_QUERY', 'start and end must be integers from 0 to 2^53-1');
    }
  }
  return region;
}
