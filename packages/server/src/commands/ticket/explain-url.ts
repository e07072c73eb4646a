import { unescape as decodePercent } from 'node:querystring';
import { fetchTicket } from '@htskit/client';
import type { HtsgetRegion, TicketBlock } from '@htskit/protocol';
import type { FileQuery } from '../../stored-file/plan-stored-file.js';
import { requestHeaders } from '../htsget-url/request-headers.js';
import { toUrlQuery } from '../htsget-url/url-query.js';

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

export interface ExplainUrlOptions extends FileQuery {
  /** `Name: value` each. */
  readonly headerLines?: readonly string[] | undefined;
  readonly tokenFile?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const RANGE = /^bytes=(\d+)-(\d+)$/;

/**
 * Fetches a ticket as `htskit get` does, but once, and explains its blocks. Throws UsageError for a URL, regions and headers
 * that are none, `HtsgetClientError`, and Error for blocks that contradict themselves.
 */
export async function explainUrl(text: string, options: ExplainUrlOptions): Promise<UrlExplanation> {
  const { headerLines: lines = [], tokenFile, environment = {}, signal } = options;
  const { endpoint, query, credentials } = toUrlQuery(text, options);
  const headers = await requestHeaders({ lines, tokenFile, credentials, environment });
  // Who looks at a service wants to see what it answers, also where that may pass.
  const { htsget } = await fetchTicket(endpoint, query, { headers, signal, retries: 0 });
  const blocks = htsget.urls.map(explainBlock);
  const known = blocks.map(({ bytes }) => bytes).filter((bytes) => bytes !== undefined);
  const { origin, pathname } = new URL(endpoint);
  return {
    source: origin + pathname,
    format: htsget.format,
    ...(query.regions !== undefined && { regions: query.regions }),
    blocks,
    inlineBytes: blocks.reduce((sum, { kind, bytes = 0 }) => sum + (kind === 'inline' ? bytes : 0), 0),
    ...(known.length === blocks.length && { answerBytes: known.reduce((sum, bytes) => sum + bytes, 0) }),
    ...(htsget.md5 !== undefined && { md5: htsget.md5 }),
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
