import type { Ticket } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { toByteStream } from '../transport/byte-stream.js';
import { Download } from './download.js';
import { createHtsgetTransport, type FetchTicketOptions, fetchTicket } from './fetch-ticket.js';
import { checkTicket } from './parse-ticket.js';
import { type HtsgetClientQuery, type HtsgetEndpoint, toTicketRequest } from './query.js';
import { parseResumeState, type ResumeState } from './resume-state.js';
import { type StreamOptions, toStreamSettings } from './stream-options.js';

/** A file, or the asked part of one, on its way. */
export interface HtsgetDownload {
  readonly ticket: Ticket;
  /**
   * The bytes, in order. Nothing is fetched before they are asked for; cancelling it ends what is under way. It fails with
   * an `HtsgetClientError`, and never ends early without.
   */
  readonly stream: ReadableStream<Uint8Array>;
  /** Of the bytes that the stream has given out by now: for `resume` of a later download of the same query. */
  readonly resumeState: () => ResumeState;
}

/** Asks for a ticket, and opens what it leads to. Block URLs that expire are replaced by those of a new ticket. */
export async function openHtsget(
  endpoint: HtsgetEndpoint,
  query: HtsgetClientQuery = {},
  options: FetchTicketOptions & StreamOptions = {},
): Promise<HtsgetDownload> {
  const ticket = await fetchTicket(endpoint, query, options);
  const renew = (signal: AbortSignal): Promise<Ticket> => fetchTicket(endpoint, query, { ...options, signal });
  const { isHeader } = toTicketRequest(endpoint, query, options.method);
  return openTicket(ticket, { ...options, renew: options.renew ?? renew, verifyEnd: options.verifyEnd ?? !isHeader });
}

/**
 * Opens what a ticket leads to. Blocks are fetched in parallel, with the headers of their ticket and no others. Throws
 * INVALID_TICKET for a ticket that `parseTicket` would refuse, and
 * INVALID_QUERY where a class is asked for of a ticket without classes, or the state to resume from is none.
 */
export function openTicket(ticket: Ticket, options: StreamOptions = {}): HtsgetDownload {
  const { renew, resume, class: blockClass } = options;
  const settings = toStreamSettings({
    ...options,
    renew: renew && (async (signal) => prepare(await renew(signal), blockClass)),
    resume: resume && { ...resume, state: parseResumeState(resume.state) },
  });
  const download = new Download(prepare(ticket, blockClass), createHtsgetTransport(options), settings);
  const stream = toByteStream(download.read(), (reason) => download.abort(reason));
  return { ticket, stream, resumeState: () => download.state };
}

/** The bytes that a ticket leads to, as `openTicket` opens them. */
export function streamTicket(ticket: Ticket, options?: StreamOptions): ReadableStream<Uint8Array> {
  return openTicket(ticket, options).stream;
}

/** A ticket may be made by others, so it is checked here too. */
function prepare(ticket: Ticket, blockClass: 'header' | 'body' | undefined): Ticket {
  const checked = checkTicket(ticket, { maxBlocks: Infinity });
  const { urls } = checked.htsget;
  if (blockClass === undefined) return checked;
  if (urls.some((block) => block.class === undefined)) {
    throw new HtsgetClientError('INVALID_QUERY', 'the blocks of the ticket have no classes');
  }
  return { htsget: { ...checked.htsget, urls: urls.filter((block) => block.class === blockClass) } };
}
