import type { TransportOptions } from '@htskit/http';
import { toByteStream } from '@htskit/io';
import { type Authority, DEFAULT_AUTHORITY, htsgetMediaType, type Ticket } from '@htskit/protocol';
import { createClientTransport, HtsgetClientError } from '../client-error.js';
import { fetchDocument, toAccept } from '../document.js';
import { decryptDownload } from './decrypt-download.js';
import { Download } from './download.js';
import { checkTicket, parseTicket } from './parse-ticket.js';
import { type HtsgetClientQuery, type HtsgetEndpoint, type TicketRequest, toTicketRequest } from './query.js';
import { parseResumeState, type ResumeState } from './resume-state.js';
import { type StreamOptions, toStreamSettings } from './stream-options.js';

/** A file, or the requested part of one, that is being downloaded. */
export interface HtsgetDownload {
  readonly ticket: Ticket;
  /**
   * The bytes, in order. Nothing is fetched before the first read, and cancelling aborts all requests. It fails with an
   * `HtsgetClientError` instead of ending early.
   */
  readonly stream: ReadableStream<Uint8Array>;
  /** Returns the state of the bytes delivered so far, for `resume` of a later download of the same query. */
  readonly resumeState: () => ResumeState;
}

/**
 * Requests a ticket and opens it. Expired block URLs are replaced by those of a new ticket. With a `recipient`, the stream is the
 * Crypt4GH file that the service encrypted for it; with an `identity`, it is decrypted. Throws `HtsgetClientError`.
 *
 * @example
 * const { stream } = await openHtsget('https://data.example.org/reads/NA12878', { referenceName: 'chr1' });
 * for await (const chunk of stream) process.stdout.write(chunk);
 */
export async function openHtsget(
  endpoint: HtsgetEndpoint,
  query: HtsgetClientQuery = {},
  options: FetchTicketOptions & StreamOptions = {},
): Promise<HtsgetDownload> {
  const { recipient = options.identity?.publicKey } = options;
  const request = toTicketRequest(endpoint, toEncryptedQuery(query, recipient), options.method);
  const ticketOptions = { ...options, recipient };
  const ticket = await requestTicket(request, ticketOptions);
  const renew = (signal: AbortSignal): Promise<Ticket> => requestTicket(request, { ...ticketOptions, signal });
  return openCheckedTicket(ticket, {
    ...options,
    isEncrypted: recipient !== undefined,
    renew: options.renew ?? renew,
    verifyEnd: options.verifyEnd ?? !request.isHeader,
  });
}

/**
 * Opens a ticket. Its blocks are fetched in parallel, each with the headers of the ticket and no others. Throws
 * INVALID_TICKET for a ticket that `parseTicket` would refuse, and INVALID_QUERY for a class if the ticket has none, or for
 * an invalid resume state.
 *
 * @example
 * const { stream, resumeState } = openTicket(ticket, { class: 'body' });
 */
export function openTicket(ticket: Ticket, options: StreamOptions = {}): HtsgetDownload {
  return openCheckedTicket(check(ticket), options);
}

function openCheckedTicket(ticket: Ticket, options: StreamOptions): HtsgetDownload {
  const { renew, resume, identity, class: blockClass } = options;
  if (identity !== undefined && resume !== undefined) {
    throw new HtsgetClientError('INVALID_QUERY', 'a download that is decrypted cannot be resumed');
  }
  const settings = toStreamSettings({
    ...options,
    renew: renew && (async (signal) => selectBlocks(check(await renew(signal)), blockClass)),
    resume: resume && { ...resume, state: parseResumeState(resume.state) },
  });
  const transport = createClientTransport(options, HtsgetClientError);
  const download = new Download(selectBlocks(ticket, blockClass), transport, settings);
  const chunks = download.read();
  const read = identity === undefined ? chunks : decryptDownload(chunks, { ticket, identity, settings });
  const stream = toByteStream(read, {
    onCancel: (reason) => download.abort(reason ?? new DOMException('the stream was cancelled', 'AbortError')),
  });
  return { ticket, stream, resumeState: () => download.state };
}

/**
 * Returns the bytes of a ticket, as `openTicket` does.
 *
 * @example
 * const bytes = new Uint8Array(await new Response(streamTicket(ticket)).arrayBuffer());
 */
export function streamTicket(ticket: Ticket, options?: StreamOptions): ReadableStream<Uint8Array> {
  return openTicket(ticket, options).stream;
}

/** Checks a ticket that any code may have created. */
function check(ticket: Ticket): Ticket {
  return checkTicket(ticket, { maxBlocks: Infinity });
}

/** Keeps the blocks of one class. */
function selectBlocks(ticket: Ticket, blockClass: 'header' | 'body' | undefined): Ticket {
  const { urls } = ticket.htsget;
  if (blockClass === undefined) return ticket;
  if (urls.some((block) => block.class === undefined)) {
    throw new HtsgetClientError('INVALID_QUERY', 'the blocks of the ticket have no class');
  }
  return { htsget: { ...ticket.htsget, urls: urls.filter((block) => block.class === blockClass) } };
}

export interface FetchTicketOptions extends TransportOptions {
  /** Default: POST for several regions, GET otherwise. */
  readonly method?: 'GET' | 'POST';
  /** The name of the standards body that `Accept` prefers; it lists both. Default ga4gh. */
  readonly authority?: Authority;
  /** Sent to the origin of the service only, such as Authorization: to no block and no other origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The public key, 32 bytes, that the service is to encrypt the answer for as a Crypt4GH file. An extension: service-info announces it
   * as `encryptionSchemes`.
   */
  readonly recipient?: Uint8Array;
  /** Default 64 MiB. */
  readonly maxTicketBytes?: number;
  /** Default 100,000. */
  readonly maxBlocks?: number;
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
  return requestTicket(toTicketRequest(endpoint, toEncryptedQuery(query, options.recipient), options.method), options);
}

function toEncryptedQuery(query: HtsgetClientQuery, recipient: Uint8Array | undefined): HtsgetClientQuery {
  return recipient === undefined ? query : { ...query, encryptionScheme: 'crypt4gh' };
}

async function requestTicket(
  { url, method, body, format }: TicketRequest,
  options: FetchTicketOptions,
): Promise<Ticket> {
  const { authority = DEFAULT_AUTHORITY, headers: givenHeaders, recipient, allowInsecure, maxBlocks } = options;
  const originHeaders =
    recipient === undefined
      ? givenHeaders
      : { ...givenHeaders, 'htsget-context-public-key': btoa(String.fromCharCode(...recipient)) };
  const { maxTicketBytes = DEFAULT_MAX_TICKET_BYTES } = options;
  // Shorter than 128 characters, so that browsers send it to other origins without a preflight.
  const accept = toAccept(htsgetMediaType, authority, ['application/json;q=0.8']);
  const headers = { accept, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const transport = createClientTransport(options, HtsgetClientError);
  const text = await fetchDocument(transport, { url, method, headers, originHeaders, body }, maxTicketBytes);
  return parseTicket(text, { url, format, allowInsecure, maxBlocks });
}
