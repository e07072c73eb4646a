import { type Authority, DEFAULT_AUTHORITY, htsgetMediaType, type Ticket } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { toAccept } from '../transport/accept.js';
import { readBytes } from '../transport/body.js';
import { withRetries } from '../transport/retry.js';
import { type ClientRequest, send } from '../transport/send.js';
import { toServerError } from '../transport/server-error.js';
import { createTransport, type Transport, type TransportOptions } from '../transport/transport.js';
import { parseTicket } from './parse-ticket.js';
import { type HtsgetClientQuery, type HtsgetEndpoint, toTicketRequest } from './query.js';

export interface FetchTicketOptions extends TransportOptions {
  /** Default: POST for several regions, and GET otherwise. */
  readonly method?: 'GET' | 'POST' | undefined;
  /** Which name of the standards body `Accept` prefers; it names both. Default ga4gh. */
  readonly authority?: Authority | undefined;
  /** Sent to the origin of the service, and to no block and no other origin: Authorization, say. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default 64 MiB. */
  readonly maxTicketBytes?: number | undefined;
  /** Default 100,000. */
  readonly maxBlocks?: number | undefined;
}

const DEFAULT_MAX_TICKET_BYTES = 64 * 1024 * 1024;

/**
 * Asks for a ticket and verifies it. Redirects are followed, with the caller's headers only while the origin is the same.
 * Throws `HtsgetClientError`; SERVER_ERROR with `status` and `error` for what the service refuses.
 */
export async function fetchTicket(
  endpoint: HtsgetEndpoint,
  query: HtsgetClientQuery = {},
  options: FetchTicketOptions = {},
): Promise<Ticket> {
  const { url, method, body, format } = toTicketRequest(endpoint, query, options.method);
  const { authority = DEFAULT_AUTHORITY, headers: originHeaders, allowInsecure, maxBlocks } = options;
  // Under 128 characters, so that browsers send it to other origins without asking first.
  const accept = toAccept(htsgetMediaType, authority, ['application/json;q=0.8']);
  const headers = { accept, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const transport = createHtsgetTransport(options);
  const request = { url, method, headers, originHeaders, body };
  const text = await withRetries(transport, () => readTicketText(transport, request, options.maxTicketBytes));
  return parseTicket(text, { url, format, allowInsecure, maxBlocks });
}

async function readTicketText(
  transport: Transport,
  request: ClientRequest,
  maxTicketBytes = DEFAULT_MAX_TICKET_BYTES,
): Promise<string> {
  const response = await send(transport, request);
  if (response.status !== 200) throw await toServerError(response, transport);
  return new TextDecoder().decode(await readBytes(response, maxTicketBytes, transport));
}

export function createHtsgetTransport(options: TransportOptions): Transport {
  return createTransport(options, (code, message, details) => new HtsgetClientError(code, message, details));
}
