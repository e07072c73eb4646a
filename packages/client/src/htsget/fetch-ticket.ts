import type { TransportOptions } from '@htskit/http';
import { type Authority, DEFAULT_AUTHORITY, htsgetMediaType, type Ticket } from '@htskit/protocol';
import { createClientTransport, HtsgetClientError } from '../client-error.js';
import { fetchDocument, toAccept } from '../document.js';
import { parseTicket } from './parse-ticket.js';
import { type HtsgetClientQuery, type HtsgetEndpoint, toTicketRequest } from './query.js';

export interface FetchTicketOptions extends TransportOptions {
  /** Default: POST for several regions, GET otherwise. */
  readonly method?: 'GET' | 'POST' | undefined;
  /** The name of the standards body that `Accept` prefers; it lists both. Default ga4gh. */
  readonly authority?: Authority | undefined;
  /** Sent to the origin of the service only, such as Authorization: to no block and no other origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default 64 MiB. */
  readonly maxTicketBytes?: number | undefined;
  /** Default 100,000. */
  readonly maxBlocks?: number | undefined;
}

const DEFAULT_MAX_TICKET_BYTES = 64 * 1024 * 1024;

/**
 * Requests a ticket and verifies it. Follows redirects, but sends the caller's headers to the first origin only. Throws
 * `HtsgetClientError`; if the service refuses the query, that is SERVER_ERROR with `status` and `error`.
 *
 * @example
 * const endpoint = { baseUrl: 'https://data.example.org', datatype: 'reads', id: 'NA12878' } as const;
 * const ticket = await fetchTicket(endpoint, { referenceName: 'chr1', start: 1000, end: 20_000 });
 */
export async function fetchTicket(
  endpoint: HtsgetEndpoint,
  query: HtsgetClientQuery = {},
  options: FetchTicketOptions = {},
): Promise<Ticket> {
  const { url, method, body, format } = toTicketRequest(endpoint, query, options.method);
  const { authority = DEFAULT_AUTHORITY, headers: originHeaders, allowInsecure, maxBlocks } = options;
  const { maxTicketBytes = DEFAULT_MAX_TICKET_BYTES } = options;
  // Shorter than 128 characters, so that browsers send it to other origins without a preflight.
  const accept = toAccept(htsgetMediaType, authority, ['application/json;q=0.8']);
  const headers = { accept, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const transport = createClientTransport(options, HtsgetClientError);
  const text = await fetchDocument(transport, { url, method, headers, originHeaders, body }, maxTicketBytes);
  return parseTicket(text, { url, format, allowInsecure, maxBlocks });
}
