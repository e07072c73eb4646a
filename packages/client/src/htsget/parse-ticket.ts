import { FORMATS, type HtsgetFormat, type Ticket, type TicketBlock } from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { isDowngrade, parseHttpUrl } from '../transport/http-url.js';
import { isJsonObject, parseJsonObject } from '../transport/json-object.js';
import { isDataUri } from './data-uri.js';

export interface ParseTicketOptions {
  /** Where the ticket came from: with https, block URLs are https too. */
  readonly url?: string | undefined;
  /** What was asked for. */
  readonly format?: HtsgetFormat | undefined;
  /** Takes http block URLs of a ticket that came by https. Default false. */
  readonly allowInsecure?: boolean | undefined;
  /** Default 100,000. */
  readonly maxBlocks?: number | undefined;
}

const KNOWN_FORMATS: readonly HtsgetFormat[] = Object.values(FORMATS).flat();

/**
 * Parses a ticket (htsget 1.3.1, "Ticket"). Other members than those of the protocol are left out. Throws
 * `HtsgetClientError` INVALID_TICKET, TOO_LARGE for too many blocks, and INSECURE.
 */
export function parseTicket(text: string, options: ParseTicketOptions = {}): Ticket {
  const document = parseJsonObject(text);
  if (document === undefined) throw invalid('expected a JSON object');
  return checkTicket(document, options);
}

/** As `parseTicket`, of a document that was read already. */
export function checkTicket(document: object, options: ParseTicketOptions): Ticket {
  const htsget: unknown = 'htsget' in document ? document.htsget : undefined;
  if (!isJsonObject(htsget)) throw invalid('expected an object "htsget"');
  const { urls, md5 } = htsget;
  const format = parseFormat(htsget['format'], options.format);
  if (!Array.isArray(urls)) throw invalid('expected an array "urls"');
  const { maxBlocks = 100_000 } = options;
  if (urls.length > maxBlocks) {
    throw new HtsgetClientError('TOO_LARGE', `the ticket has ${urls.length} blocks, ${maxBlocks} are allowed`);
  }
  const blocks = urls.map((block: unknown, rank) => parseBlock(block, rank, options));
  const classes = blocks.filter((block) => block.class !== undefined).length;
  if (classes !== 0 && classes !== blocks.length) throw invalid(`${classes} of ${blocks.length} blocks have a class`);
  if (md5 === undefined || md5 === null) return { htsget: { format, urls: blocks } };
  if (typeof md5 !== 'string' || !/^[0-9a-f]{32}$/i.test(md5)) throw invalid('md5 must be 32 hexadecimal digits');
  return { htsget: { format, urls: blocks, md5: md5.toLowerCase() } };
}

function parseFormat(value: unknown, asked: HtsgetFormat | undefined): HtsgetFormat {
  const format = KNOWN_FORMATS.find((known) => typeof value === 'string' && known === value.toUpperCase());
  if (format === undefined) throw invalid(`format must be one of ${KNOWN_FORMATS.join(', ')}`);
  if (asked !== undefined && asked !== format) throw invalid(`${asked} was asked for, the ticket is of ${format}`);
  return format;
}

function parseBlock(value: unknown, rank: number, options: ParseTicketOptions): TicketBlock {
  if (!isJsonObject(value)) throw invalidBlock(rank, 'must be an object');
  const { url, headers, class: blockClass } = value;
  if (typeof url !== 'string') throw invalidBlock(rank, 'has no url');
  if (!isDataUri(url)) checkBlockUrl(url, rank, options);
  const isClass = blockClass === 'header' || blockClass === 'body';
  if (!isClass && blockClass !== undefined && blockClass !== null) {
    throw invalidBlock(rank, 'has a class other than "header" and "body"');
  }
  const parsed = headers === undefined || headers === null ? undefined : parseHeaders(headers, rank);
  return { url, ...(parsed && { headers: parsed }), ...(isClass && { class: blockClass }) };
}

function checkBlockUrl(url: string, rank: number, { url: ticketUrl, allowInsecure = false }: ParseTicketOptions): void {
  // `URL` alone takes "https:host" too.
  if (!/^https?:\/\//i.test(url) || parseHttpUrl(url) === undefined) {
    throw invalidBlock(rank, 'has a url that is neither an absolute HTTP(S) URL without credentials nor a data URI');
  }
  if (ticketUrl !== undefined && isDowngrade(ticketUrl, url) && !allowInsecure) {
    throw new HtsgetClientError('INSECURE', `block ${rank} has an http URL, the ticket came by https`);
  }
}

/** What speaks of a connection, and not of what is asked for: some services reflect headers of the ticket's request. */
const CONNECTION_HEADERS: readonly string[] = [
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-authorization'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
];

function parseHeaders(headers: unknown, rank: number): Record<string, string> {
  if (!isJsonObject(headers)) throw invalidBlock(rank, 'has headers that are no object');
  const parsed = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    // RFC 9110 §5.1 and §5.5: no control characters, so that no header hides in another.
    if (
      !/^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name) ||
      typeof value !== 'string' ||
      !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ) {
      throw invalidBlock(rank, 'has a header that is not valid');
    }
    if (parsed.has(name.toLowerCase())) throw invalidBlock(rank, 'has a header twice');
    if (!CONNECTION_HEADERS.includes(name.toLowerCase())) parsed.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(parsed);
}

function invalid(message: string): HtsgetClientError {
  return new HtsgetClientError('INVALID_TICKET', message);
}

function invalidBlock(rank: number, message: string): HtsgetClientError {
  return invalid(`block ${rank} ${message}`);
}
