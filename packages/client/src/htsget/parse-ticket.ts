import { isDowngrade, parseHttpUrl } from '@htskit/http/internal';
import { fromBase64 } from '@htskit/io';
import {
  FORMATS,
  type HtsgetFormat,
  TICKET_FORMATS,
  type Ticket,
  type TicketBlock,
  type TicketRestriction,
} from '@htskit/protocol';
import { HtsgetClientError } from '../client-error.js';
import { isJsonObject, parseJsonObject } from '../document.js';

export interface ParseTicketOptions {
  /** The URL of the ticket: if it is https, block URLs must be https too. */
  readonly url?: string;
  /** The requested format. */
  readonly format?: HtsgetFormat;
  /** Accepts http block URLs in a ticket that came by https. Default false. */
  readonly allowInsecure?: boolean;
  /** Default 100,000. */
  readonly maxBlocks?: number;
}

/**
 * Parses a ticket (htsget 1.3.1, "Ticket"), and drops members that the protocol does not define, except for a well-formed `restricted`.
 * Throws `HtsgetClientError` INVALID_TICKET, TOO_LARGE for too many blocks, or INSECURE.
 *
 * @example
 * const { htsget } = parseTicket(await response.text(), { url: response.url });
 */
export function parseTicket(text: string, options: ParseTicketOptions = {}): Ticket {
  const document = parseJsonObject(text);
  if (document === undefined) throw invalid('expected a JSON object');
  return checkTicket(document, options);
}

/** Checks a ticket that is already an object, as `parseTicket` does. */
export function checkTicket(document: object, options: ParseTicketOptions): Ticket {
  const htsget: unknown = 'htsget' in document ? document.htsget : undefined;
  if (!isJsonObject(htsget)) throw invalid('expected an object "htsget"');
  const { urls, md5, restricted } = htsget;
  const format = parseFormat(htsget['format'], options);
  if (!Array.isArray(urls)) throw invalid('expected an array "urls"');
  const { maxBlocks = 100_000 } = options;
  if (urls.length > maxBlocks) {
    throw new HtsgetClientError(
      'TOO_LARGE',
      `the ticket has ${urls.length} blocks, more than the limit of ${maxBlocks}`,
    );
  }
  const blocks = urls.map((block: unknown, index) => parseBlock(block, index, options));
  const classes = blocks.filter((block) => block.class !== undefined).length;
  if (classes !== 0 && classes !== blocks.length) throw invalid(`${classes} of ${blocks.length} blocks have a class`);
  return { htsget: { format, urls: blocks, ...parseMd5(md5), ...(isRestriction(restricted) && { restricted }) } };
}

function parseMd5(md5: unknown): { readonly md5?: string } {
  if (md5 === undefined || md5 === null) return {};
  if (typeof md5 !== 'string' || !/^[0-9a-f]{32}$/i.test(md5)) throw invalid('md5 must be 32 hexadecimal digits');
  return { md5: md5.toLowerCase() };
}

/** Other services may give the name of this extension another meaning. */
function isRestriction(value: unknown): value is TicketRestriction {
  if (!isJsonObject(value)) return false;
  return isList(value['regions'], isRegion) && isList(value['samples'], (name) => typeof name === 'string');
}

function isList(value: unknown = 'some', isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) ? value.every(isItem) : value === 'some';
}

function isRegion(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value['referenceName'] !== 'string') return false;
  return [value['start'], value['end']].every((position = 0) => Number.isInteger(position));
}

/** Parses the format. Services that follow samtools may omit it: the answer then has the requested format, or the default. */
function parseFormat(value: unknown, { format: expected, url }: ParseTicketOptions): HtsgetFormat {
  if (value === undefined || value === null) return expected ?? defaultFormat(url);
  const format = TICKET_FORMATS.find((known) => typeof value === 'string' && known === value.toUpperCase());
  if (format === undefined) throw invalid(`format must be one of ${TICKET_FORMATS.join(', ')}`);
  if (expected !== undefined && expected !== format) throw invalid(`expected format ${expected}, found ${format}`);
  return format;
}

/** Returns the default of the parameter `format` (htsget 1.3.1, "GET query parameters"). */
function defaultFormat(url = ''): HtsgetFormat {
  return FORMATS[/^[^?#]*\/variants\//.test(url) ? 'variants' : 'reads'][0];
}

function parseBlock(value: unknown, index: number, options: ParseTicketOptions): TicketBlock {
  if (!isJsonObject(value)) throw invalidBlock(index, 'must be an object');
  const { url, headers, class: blockClass } = value;
  if (typeof url !== 'string') throw invalidBlock(index, 'has no url');
  if (!isDataUri(url)) checkBlockUrl(url, index, options);
  const isClass = blockClass === 'header' || blockClass === 'body';
  if (!isClass && blockClass !== undefined && blockClass !== null) {
    throw invalidBlock(index, 'has a class other than "header" and "body"');
  }
  const parsed = headers === undefined || headers === null ? undefined : parseHeaders(headers, index);
  return { url, ...(parsed && { headers: parsed }), ...(isClass && { class: blockClass }) };
}

function checkBlockUrl(
  url: string,
  index: number,
  { url: ticketUrl, allowInsecure = false }: ParseTicketOptions,
): void {
  // `URL` alone also accepts "https:host".
  const parsed = /^https?:\/\//i.test(url) ? parseHttpUrl(url) : undefined;
  if (parsed === undefined) {
    throw invalidBlock(index, 'has a url that is neither an absolute HTTP(S) URL without credentials nor a data URI');
  }
  if (parsed.protocol === 'http:' && !allowInsecure && ticketUrl !== undefined && isDowngrade(ticketUrl, url)) {
    throw new HtsgetClientError('INSECURE', `block ${index} has an http URL, but the ticket came by https`);
  }
}

/** Headers of a connection, not of the requested block: some services reflect the headers of the ticket's request. */
const CONNECTION_HEADERS: readonly string[] = [
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-authorization'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
];

function parseHeaders(headers: unknown, index: number): Record<string, string> {
  if (!isJsonObject(headers)) throw invalidBlock(index, 'has headers that are not an object');
  const parsed = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    // RFC 9110 §5.1 and §5.5: without control characters, no header can hide in another.
    if (
      !/^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name) ||
      typeof value !== 'string' ||
      !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ) {
      throw invalidBlock(index, 'has an invalid header');
    }
    if (parsed.has(name.toLowerCase())) throw invalidBlock(index, 'has a header twice');
    if (!CONNECTION_HEADERS.includes(name.toLowerCase())) parsed.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(parsed);
}

function invalid(message: string): HtsgetClientError {
  return new HtsgetClientError('INVALID_TICKET', message);
}

function invalidBlock(index: number, message: string): HtsgetClientError {
  return invalid(`block ${index} ${message}`);
}

export function isDataUri(url: string): boolean {
  return /^data:/i.test(url);
}

/**
 * Decodes a data URI (RFC 2397) of any media type: Base64, padded or not, and percent-encoded text. Base64 that is also
 * percent-encoded is accepted. Throws INVALID_TICKET.
 */
export function decodeDataUri(url: string): Uint8Array<ArrayBuffer> {
  const comma = url.indexOf(',');
  if (!isDataUri(url) || comma < 0) throw new HtsgetClientError('INVALID_TICKET', 'a data URI has no comma');
  const payload = url.slice(comma + 1);
  if (!/;\s*base64\s*$/i.test(url.slice(0, comma))) return decodePercents(payload);
  try {
    return fromBase64(payload.includes('%') ? new TextDecoder().decode(decodePercents(payload)) : payload);
  } catch (cause) {
    if (cause instanceof HtsgetClientError) throw cause;
    throw new HtsgetClientError('INVALID_TICKET', 'a data URI is not valid Base64', { cause });
  }
}

function decodePercents(text: string): Uint8Array<ArrayBuffer> {
  if (/[^\x20-\x7e]|%(?![0-9a-f]{2})/i.test(text)) {
    throw new HtsgetClientError('INVALID_TICKET', 'a data URI is not valid percent-encoded text');
  }
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const isEscape = text[i] === '%';
    bytes[length++] = isEscape ? Number.parseInt(text.slice(i + 1, i + 3), 16) : text.charCodeAt(i);
    if (isEscape) i += 2;
  }
  return bytes.slice(0, length);
}
