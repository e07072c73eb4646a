import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unescape as decodePercent } from 'node:querystring';
import type { HtsgetClientQuery } from '@htskit/client';
import { queryParameters } from '@htskit/http/internal';
import { type HtsgetFormat, type HtsgetRegion, TICKET_FORMATS } from '@htskit/protocol';
import { UsageError } from '../errors.js';
import { parseServiceUrl } from '../service-url.js';
import type { FileQuery } from '../stored-file/open-stored-file.js';
import { parseRegion } from '../stored-file/parse-region.js';
import { parseSelection, type RecordSelection } from './record-selection.js';

/** The query of a command, which applies on top of what the URL says. */
export interface UrlQueryOptions extends FileQuery {
  readonly selection?: RecordSelection;
}

/** A query for the htsget client. */
export interface UrlQuery {
  /** The URL without credentials and without the parameters that moved to `query`. */
  readonly endpoint: string;
  readonly query: HtsgetClientQuery;
  readonly credentials: { readonly authorization?: string };
  /** Identifies the query. Other parameters of the URL, such as tokens, are not part of it. */
  readonly digest: string;
}

/**
 * Combines a URL with the options of a command, which take precedence over the parameters of the URL. Throws UsageError for an
 * invalid URL, region or parameter.
 */
export function toUrlQuery(
  text: string,
  { regions: texts, intervals, format, isHeaderOnly, selection }: UrlQueryOptions,
): UrlQuery {
  const url = parseServiceUrl(text);
  url.hash = '';
  const credentials = takeCredentials(url);
  const region = takeParameters(url, REGION_PARAMETERS);
  const { format: ofUrl, class: blockClass, ...lists } = takeParameters(url, BODY_PARAMETERS);
  const isHeader = isHeaderOnly || blockClass === 'header';
  if (blockClass !== undefined && !isHeader) throw new UsageError('invalid URL: the only value of class is "header"');
  // The reference names are not known here, so a name with colons must be written in braces.
  const regions = selectIntervals(intervals) ?? texts.map((region) => parseRegion(region, undefined));
  const query: HtsgetClientQuery = {
    format: format ?? parseFormat(ofUrl),
    ...(isHeader && { class: 'header' }),
    ...(!isHeaderOnly && (regions.length > 0 ? { regions } : toRegion(region))),
    ...parseSelection(lists),
    ...selection,
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([url.origin, url.pathname, query]))
    .digest('hex');
  return { endpoint: url.href, query, credentials, digest };
}

/** Returns the intervals that can be sent: the protocol has no empty regions. Throws UsageError if there are none. */
function selectIntervals(intervals: readonly HtsgetRegion[] | undefined): readonly HtsgetRegion[] | undefined {
  const selected = intervals?.filter(({ start = 0, end }) => start !== end);
  if (selected?.length === 0) throw new UsageError('the regions file has no intervals');
  return selected;
}

function parseFormat(text: string | undefined): HtsgetFormat | undefined {
  if (text === undefined) return undefined;
  const format = TICKET_FORMATS.find((known) => known === text.toUpperCase());
  if (format === undefined) throw new UsageError('invalid URL: unknown format');
  return format;
}

function toRegion({
  referenceName,
  start,
  end,
}: {
  readonly [name in (typeof REGION_PARAMETERS)[number]]?: string;
}): HtsgetClientQuery {
  return {
    referenceName,
    ...(start !== undefined && { start: parseCoordinate(start) }),
    ...(end !== undefined && { end: parseCoordinate(end) }),
  };
}

function parseCoordinate(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError('invalid URL: start and end must be whole numbers');
}

/** The parameters of a URL that select a region. */
const REGION_PARAMETERS = ['referenceName', 'start', 'end'] as const;
/** The parameters that a POST query has in its body. */
const BODY_PARAMETERS = [
  ...(['format', 'class', 'fields', 'tags', 'notags', 'samples', 'samplesUpdate'] as const),
  ...(['requireFlags', 'excludeFlags', 'minMappingQuality'] as const),
] as const;

/** Removes parameters from the query of a URL and returns them. Parameters of other names stay. */
function takeParameters<Name extends string>(url: URL, names: readonly Name[]): { readonly [name in Name]?: string } {
  const taken: { [name in Name]?: string } = {};
  const parameters = queryParameters({ url: url.href });
  for (const name of names) {
    const value = parameters.get(name);
    if (value === null) continue;
    taken[name] = value;
    url.searchParams.delete(name);
  }
  return taken;
}

/** Removes user and password from a URL and returns them as a header: `fetch` rejects such a URL, and repeats it in its error. */
export function takeCredentials(url: URL): { readonly authorization?: string } {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64');
  return { authorization: `Basic ${credentials}` };
}

/** A field line (RFC 9110 §5.5, §5.6.2), restricted to ASCII. */
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e\t]*?)[ \t]*$/;
/** The syntax of a bearer token (RFC 6750 §2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

export interface RequestHeadersInput {
  /** Request headers, each as `Name: value`. */
  readonly lines: readonly string[];
  /** The path of a file with a bearer token. */
  readonly tokenFile?: string;
  /** The credentials of the URL: see `takeCredentials`. */
  readonly credentials: { readonly authorization?: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the headers of a ticket request. The Authorization header comes from the token file, else from the URL, else from
 * HTSKIT_TOKEN. Throws UsageError for an invalid header and Error for an invalid token; the messages do not repeat either.
 */
export async function requestHeaders({
  lines,
  tokenFile,
  credentials,
  environment,
}: RequestHeadersInput): Promise<Readonly<Record<string, string>>> {
  const headers = Object.fromEntries(lines.map(parseHeader));
  if (tokenFile !== undefined) return { ...headers, ...bearer(await readFile(tokenFile, 'utf8'), tokenFile) };
  const { HTSKIT_TOKEN: token = '' } = environment;
  if (credentials.authorization !== undefined || token === '') return { ...headers, ...credentials };
  return { ...headers, ...bearer(token, 'HTSKIT_TOKEN') };
}

function parseHeader(line: string): [name: string, value: string] {
  const [, name, value] = HEADER.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("invalid header; expected 'Name: value'");
  if (name.toLowerCase() !== 'authorization') return [name.toLowerCase(), value];
  throw new UsageError(
    'refusing a token on the command line, where other users can see it; use --token-file or HTSKIT_TOKEN',
  );
}

function bearer(text: string, source: string): { readonly authorization: string } {
  const token = text.trim();
  if (TOKEN.test(token)) return { authorization: `Bearer ${token}` };
  throw new Error(`${source} does not hold a bearer token: expected letters, digits and -._~+/, and = at the end`);
}
