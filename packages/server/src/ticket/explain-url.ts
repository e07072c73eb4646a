import { unescape as decodePercent } from 'node:querystring';
import { DEFAULT_AUTHORITY, type HtsgetRegion, htsgetMediaType, type Ticket, type TicketBlock } from '@htskit/protocol';
import { parseRegion } from '../stored-file/parse-region.js';
import type { FileQuestion } from '../stored-file/plan-stored-file.js';
import { BODY_PARAMETERS, REGION_PARAMETERS, takeCredentials, takeParameters } from './url-parts.js';

/** A block of a ticket. What its URL and headers hold is for whoever fetches it: they may be secrets. */
export interface ExplainedBlock {
  readonly kind: 'inline' | 'url';
  /** `header` or `body`, where the service keeps to the protocol. */
  readonly class?: string;
  /** Where they are known without fetching them. */
  readonly bytes?: number;
  /** Scheme, host and port that serve it. */
  readonly origin?: string;
  /** Bytes [byteStart, byteEnd) of what lies at the URL, where a header asks for them. */
  readonly byteStart?: number;
  readonly byteEnd?: number;
}

/** How a service answers a query. */
export interface UrlExplanation {
  /** Without its query, which may hold a secret. */
  readonly source: string;
  readonly format: string;
  readonly regions?: readonly HtsgetRegion[];
  readonly blocks: readonly ExplainedBlock[];
  readonly inlineBytes: number;
  /** Of all blocks, where each of them tells. */
  readonly answerBytes?: number;
  readonly md5?: string;
}

const TIMEOUT_MILLISECONDS = 60_000;
const MAX_TICKET_BYTES = 2 ** 26;
const RANGE = /^bytes=(\d+)-(\d+)$/;

/** Fetches a ticket and explains its blocks. Throws RegionError, and Error for whatever else the service answers. */
export async function explainUrl(text: string, { regions: texts, ...options }: FileQuestion): Promise<UrlExplanation> {
  const url = new URL(text);
  // The names of references are not known here: braces tell one with colons from its range.
  const regions = texts.map((region) => parseRegion(region, undefined));
  const { htsget } = await fetchTicket(url, regions, options);
  const blocks = htsget.urls.map(explainBlock);
  const known = blocks.map(({ bytes }) => bytes).filter((bytes) => bytes !== undefined);
  return {
    source: url.origin + url.pathname,
    format: htsget.format ?? 'BAM',
    ...(regions.length > 0 && { regions }),
    blocks,
    inlineBytes: blocks.reduce((sum, { kind, bytes = 0 }) => sum + (kind === 'inline' ? bytes : 0), 0),
    ...(known.length === blocks.length && { answerBytes: known.reduce((sum, bytes) => sum + bytes, 0) }),
    ...(htsget.md5 !== undefined && { md5: htsget.md5 }),
  };
}

async function fetchTicket(
  url: URL,
  regions: readonly HtsgetRegion[],
  { format, isHeaderOnly }: Omit<FileQuestion, 'regions'>,
): Promise<PartialTicket> {
  const headers = { accept: `${htsgetMediaType(DEFAULT_AUTHORITY)}, application/json`, ...takeCredentials(url) };
  const common = { ...(format !== undefined && { format }), ...(isHeaderOnly && { class: 'header' }) };
  // What is asked for replaces what the URL asks for.
  if (regions.length > 0 || isHeaderOnly) takeParameters(url, REGION_PARAMETERS);
  if (regions.length > 1 && !isHeaderOnly) {
    const { fields, tags, notags, ...single } = takeParameters(url, BODY_PARAMETERS);
    const lists = Object.entries({ fields, tags, notags }).filter(([, value]) => value !== undefined);
    const asked = Object.fromEntries(lists.map(([name, value = '']) => [name, value === '' ? [] : value.split(',')]));
    return requestTicket(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...single, ...asked, ...common, regions }),
    });
  }
  const asked = { ...common, ...(isHeaderOnly ? {} : regions[0]) };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, String(value));
  return requestTicket(url, { headers });
}

async function requestTicket(url: URL, init: RequestInit): Promise<PartialTicket> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    text = await readText(response);
  } catch (error) {
    throw toFailure(error);
  }
  return parseTicket(response, text);
}

/** Why there is no answer, without what the error says itself: that may hold the URL, and the URL secrets. */
function toFailure(error: unknown): Error {
  if (error instanceof LongTicketError) return error;
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } };
  if (name === 'TimeoutError')
    return new Error(`the server did not answer within ${TIMEOUT_MILLISECONDS / 1000} seconds`);
  const code = cause?.code;
  return new Error(`the server cannot be reached${typeof code === 'string' ? `: ${code}` : ''}`);
}

/** As tickets of other services are: what this one always has may be missing. */
interface PartialTicket {
  readonly htsget: Omit<Ticket['htsget'], 'format'> & { readonly format?: string };
}

function parseTicket(response: Response, text: string): PartialTicket {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error(`the answer is no ticket (${response.status})`);
  }
  if (!response.ok) throw new Error(`${response.status} ${describeError(document)}`.trim());
  if (!isTicket(document)) throw new Error('the answer is no ticket');
  return document;
}

class LongTicketError extends Error {}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_TICKET_BYTES)
      throw new LongTicketError(`the ticket is longer than ${MAX_TICKET_BYTES} bytes`);
  }
  return text + decoder.decode();
}

function describeError(document: unknown): string {
  const htsget = isObject(document) && isObject(document['htsget']) ? document['htsget'] : {};
  return [htsget['error'], htsget['message']].filter((part) => typeof part === 'string').join(': ');
}

function isTicket(document: unknown): document is PartialTicket {
  if (!isObject(document) || !isObject(document['htsget'])) return false;
  const { urls, format = 'BAM', md5 = '' } = document['htsget'];
  return typeof format === 'string' && typeof md5 === 'string' && Array.isArray(urls) && urls.every(isBlock);
}

function isBlock(value: unknown): boolean {
  if (!isObject(value) || typeof value['url'] !== 'string' || !URL.canParse(value['url'])) return false;
  const { class: part = 'body', headers = {} } = value;
  return typeof part === 'string' && isObject(headers);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function explainBlock({
  url,
  headers = {},
  class: part,
}: Omit<TicketBlock, 'class'> & { readonly class?: string }): ExplainedBlock {
  const common = part === undefined ? {} : { class: part };
  if (url.startsWith('data:')) return { kind: 'inline', ...common, bytes: dataUriLength(url) };
  const { origin } = new URL(url);
  const range = Object.entries(headers).find(([name]) => name.toLowerCase() === 'range')?.[1];
  const [, first, last] = RANGE.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined) return { kind: 'url', ...common, origin };
  const [byteStart, byteEnd] = [Number(first), Number(last) + 1];
  if (byteStart >= byteEnd) throw new Error(`the ticket has a range that ends before it begins: ${first}-${last}`);
  return { kind: 'url', ...common, origin, byteStart, byteEnd, bytes: byteEnd - byteStart };
}

/** Bytes that a data URI stands for. */
function dataUriLength(uri: string): number {
  const comma = uri.indexOf(',');
  if (comma < 0) throw new Error('the ticket has a data URI without a comma');
  const data = decodePercent(uri.slice(comma + 1));
  if (!uri.slice(0, comma).endsWith(';base64')) {
    return Buffer.byteLength(uri.slice(comma + 1).replace(/%[\da-f]{2}/gi, '.'));
  }
  if (!/^[\w+/-]*={0,2}$/.test(data)) throw new Error('the ticket has a data URI that is not base64');
  return Buffer.from(data, 'base64').length;
}
