import { StorageError } from '@htskit/io';
import { parseContentRange } from './content-range.js';
import type { Exchange } from './exchange.js';

/** Answers of servers, and of URLs that are signed for GET, that take no HEAD. */
const REFUSALS_OF_HEAD = new Set([400, 401, 403, 405, 501]);

export function refusesHead(status: number): boolean {
  return REFUSALS_OF_HEAD.has(status);
}

/** The bytes of the whole object, by an answer to HEAD; undefined where it does not tell. */
export function readSize(exchange: Exchange, key: string): number | undefined {
  checkEncoding(exchange, key);
  const value = exchange.header('content-length');
  const size = /^\d+$/.test(value ?? '') ? Number(value) : undefined;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** The bytes of the whole object, by an answer to a GET of its first byte; undefined where that is refused. */
export function readSizeOfRange(exchange: Exchange, key: string): number | undefined {
  const { status } = exchange;
  if (status === 206) return readContentRange(exchange, key).size;
  if (status === 200 && isEmpty(exchange)) return 0;
  if (status === 200) throw ignoresRange(key);
  // RFC 9110 §15.5.17: no byte of an empty object can be sent.
  if (status === 416 && parseContentRange(exchange.header('content-range') ?? '')?.size === 0) return 0;
  return undefined;
}

/** What an answer 206 says that it has. Throws UNAVAILABLE where it does not say all of it. */
export function readContentRange(
  exchange: Exchange,
  key: string,
): { readonly start: number; readonly end: number; readonly size: number } {
  checkEncoding(exchange, key);
  const { range, size } = parseContentRange(exchange.header('content-range') ?? '') ?? {};
  const length = exchange.header('content-length');
  if (range !== undefined && length !== null && Number(length) !== range.end - range.start) {
    throw new StorageError(
      'UNAVAILABLE',
      'the answer to a range has a Content-Length other than that of its Content-Range',
      { key },
    );
  }
  if (range !== undefined && size !== undefined) return { ...range, size };
  throw new StorageError('UNAVAILABLE', 'the answer to a range has no valid Content-Range', { key });
}

export function isEmpty(exchange: Exchange): boolean {
  return exchange.header('content-length') === '0';
}

export function ignoresRange(key: string): StorageError {
  return new StorageError('UNAVAILABLE', 'the store answers requests for ranges with the whole object', { key });
}

/** `fetch` decodes what is encoded: neither its bytes nor their places are those of the object (RFC 9110 §8.4). */
function checkEncoding(exchange: Exchange, key: string): void {
  const encoding = exchange.header('content-encoding') ?? '';
  if (encoding === '' || encoding.toLowerCase() === 'identity') return;
  throw new StorageError('UNAVAILABLE', 'the store sends the object with a Content-Encoding', { key });
}
