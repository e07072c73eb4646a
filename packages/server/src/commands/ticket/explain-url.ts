import { unescape as decodePercent } from 'node:querystring';
import { fetchTicket } from '@htskit/client';
import type { HtsgetRegion, TicketBlock, TicketRestriction } from '@htskit/protocol';
import type { FileQuery } from '../../stored-file/open-stored-file.js';
import { requestHeaders, toUrlQuery } from '../url-request.js';

/** A block of a ticket, without its URL and headers, which may hold secrets. */
export interface ExplainedBlock {
  readonly kind: 'inline' | 'url';
  /** `header` or `body` if the service follows the protocol. */
  readonly class?: string;
  /** The size of the block in bytes, if it is known without fetching it. */
  readonly bytes?: number;
  /** The scheme, host and port of the URL. */
  readonly origin?: string;
  /** The byte range that the Range header requests, 0-based and half-open. */
  readonly byteStart?: number;
  readonly byteEnd?: number;
}

/** The ticket of a service for a query. */
export interface UrlExplanation {
  /** The URL without its query, which may hold a secret. */
  readonly source: string;
  readonly format: string;
  readonly regions?: readonly HtsgetRegion[];
  readonly blocks: readonly ExplainedBlock[];
  readonly inlineBytes: number;
  /** The total size in bytes, if the size of each block is known. */
  readonly answerBytes?: number;
  readonly md5?: string;
  /** The regions or samples that the service restricted the answer to, if it says so. */
  readonly restricted?: TicketRestriction;
}

export interface ExplainUrlOptions extends FileQuery {
  /** Request headers, each as `Name: value`. */
  readonly headerLines?: readonly string[];
  readonly tokenFile?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

const RANGE = /^bytes=(\d+)-(\d+)$/;

/**
 * Fetches a ticket as `htskit get` does, but without retries, and describes its blocks. Throws UsageError for an invalid URL,
 * region or header, HtsgetClientError if the request fails, and Error for an invalid block.
 */
export async function explainUrl(text: string, options: ExplainUrlOptions): Promise<UrlExplanation> {
  const { headerLines: lines = [], tokenFile, environment = {}, signal } = options;
  const { endpoint, query, credentials } = toUrlQuery(text, options);
  const headers = await requestHeaders({ lines, tokenFile, credentials, environment });
  // No retries: the command shows what the service returns, transient errors included.
  const { htsget } = await fetchTicket(endpoint, query, { headers, signal, retries: 0 });
  const blocks = htsget.urls.map(explainBlock);
  const known = blocks.map(({ bytes }) => bytes).filter((bytes) => bytes !== undefined);
  const { origin, pathname } = new URL(endpoint);
  return {
    source: origin + pathname,
    format: htsget.format,
    regions: query.regions,
    blocks,
    inlineBytes: blocks.reduce((sum, { kind, bytes = 0 }) => sum + (kind === 'inline' ? bytes : 0), 0),
    ...(known.length === blocks.length && { answerBytes: known.reduce((sum, bytes) => sum + bytes, 0) }),
    md5: htsget.md5,
    restricted: htsget.restricted,
  };
}

function explainBlock({ url, headers = {}, class: part }: TicketBlock): ExplainedBlock {
  const common = part === undefined ? {} : { class: part };
  if (url.startsWith('data:')) return { kind: 'inline', ...common, bytes: dataUriLength(url) };
  const { origin } = new URL(url);
  const range = Object.entries(headers).find(([name]) => name.toLowerCase() === 'range')?.[1];
  const [, first, last] = RANGE.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined) return { kind: 'url', ...common, origin };
  const [byteStart, byteEnd] = [Number(first), Number(last) + 1];
  if (byteStart >= byteEnd) throw new Error(`invalid ticket: the range ${first}-${last} ends before it begins`);
  return { kind: 'url', ...common, origin, byteStart, byteEnd, bytes: byteEnd - byteStart };
}

/** Returns the length of the data of a data URI, in bytes. */
function dataUriLength(uri: string): number {
  const comma = uri.indexOf(',');
  if (comma < 0) throw new Error('invalid ticket: a data URI has no comma');
  const data = decodePercent(uri.slice(comma + 1));
  if (!uri.slice(0, comma).endsWith(';base64')) {
    return Buffer.byteLength(uri.slice(comma + 1).replace(/%[\da-f]{2}/gi, '.'));
  }
  if (!/^[\w+/-]*={0,2}$/.test(data)) throw new Error('invalid ticket: a data URI is not valid base64');
  return Buffer.from(data, 'base64').length;
}
