import { createHash } from 'node:crypto';
import { unescape as decodePercent } from 'node:querystring';
import type { HtsgetClientQuery } from '@htskit/client';
import { FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { UsageError } from '../../errors.js';
import { parseSelection } from '../../get-file.js';
import { parseRegion } from '../../stored-file/parse-region.js';
import type { FileQuery, RecordSelection } from '../../stored-file/plan-stored-file.js';

export interface UrlQuestion extends FileQuery {
  readonly selection?: RecordSelection | undefined;
}

/** A question as a client asks it. */
export interface UrlQuery {
  /** Without credentials, and without what the query says. */
  readonly endpoint: string;
  readonly query: HtsgetClientQuery;
  readonly credentials: { readonly authorization?: string };
  /** The same for the same question, whatever the service's own parameters, as its tokens, are. */
  readonly digest: string;
}

/**
 * Reads a URL and what is asked of it; what is asked replaces what the URL says. Throws UsageError for a URL, regions or
 * parameters that are none.
 */
export function toUrlQuery(text: string, { regions: texts, format, isHeaderOnly, selection }: UrlQuestion): UrlQuery {
  if (!URL.canParse(text)) throw new UsageError('the URL is none');
  const url = new URL(text);
  url.hash = '';
  const credentials = takeCredentials(url);
  const place = takeParameters(url, REGION_PARAMETERS);
  const { format: ofUrl, class: blockClass, ...lists } = takeParameters(url, BODY_PARAMETERS);
  const isHeader = isHeaderOnly || blockClass === 'header';
  if (blockClass !== undefined && !isHeader) throw new UsageError('the class of the URL is not "header"');
  // The names of references are not known here: braces tell one with colons from its range.
  const regions = texts.map((region) => parseRegion(region, undefined));
  const query: HtsgetClientQuery = {
    format: format ?? parseFormat(ofUrl),
    ...(isHeader && { class: 'header' }),
    ...(!isHeaderOnly && (regions.length > 0 ? { regions } : toPlace(place))),
    ...parseSelection(lists),
    ...selection,
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([url.origin, url.pathname, query]))
    .digest('hex');
  return { endpoint: url.href, query, credentials, digest };
}

function parseFormat(text: string | undefined): HtsgetFormat | undefined {
  if (text === undefined) return undefined;
  const format = [...FORMATS.reads, ...FORMATS.variants].find((known) => known === text.toUpperCase());
  if (format === undefined) throw new UsageError('the format of the URL is unknown');
  return format;
}

function toPlace({
  referenceName,
  start,
  end,
}: {
  readonly [name in (typeof REGION_PARAMETERS)[number]]?: string;
}): HtsgetClientQuery {
  return {
    ...(referenceName !== undefined && { referenceName }),
    ...(start !== undefined && { start: parseCoordinate(start) }),
    ...(end !== undefined && { end: parseCoordinate(end) }),
  };
}

function parseCoordinate(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError('start and end of the URL are no whole numbers');
}

/** What of a URL says which part of an object it is about. */
export const REGION_PARAMETERS = ['referenceName', 'start', 'end'] as const;
/** What a query with several regions has in its body. */
export const BODY_PARAMETERS = ['format', 'class', 'fields', 'tags', 'notags'] as const;

/** Takes parameters out of the query of a URL. Those of other names are the service's own, and stay. */
export function takeParameters<Name extends string>(
  url: URL,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const taken: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value === null) continue;
    taken[name] = value;
    url.searchParams.delete(name);
  }
  return taken;
}

/** Takes user and password out of a URL: `fetch` refuses URLs that have them, and names them as it does. */
export function takeCredentials(url: URL): { readonly authorization?: string } {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64');
  return { authorization: `Basic ${credentials}` };
}
