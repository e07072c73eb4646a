import type { ByteRange } from '@htskit/io';
import { StorageError } from '@htskit/io';
import type { Exchange } from './exchange.js';
import { ignoresRange, isEmpty, readContentRange } from './size.js';

export interface RangeBodyOptions {
  /** As it was asked for. It is not empty. */
  readonly range: ByteRange;
  /** Of the source. */
  readonly key: string;
}

/** The body of an answer to a request for a range: exactly that range, clipped at the object's end, or an error. */
export class RangeBody {
  /** Bytes of the whole object. */
  readonly size: number;
  readonly range: ByteRange;
  readonly #exchange: Exchange;
  readonly #key: string;
  #at: number;

  /** Throws UNAVAILABLE where the answer, of status 200 or 206, is not to this request. */
  constructor(exchange: Exchange, { range, key }: RangeBodyOptions) {
    const { start, end, size } = exchange.status === 206 ? readContentRange(exchange, key) : toEmpty(exchange, key);
    this.size = size;
    this.range = { start: Math.min(range.start, size), end: Math.min(range.end, size) };
    this.#exchange = exchange;
    this.#key = key;
    this.#at = this.range.start;
    if (exchange.status === 206 && (start !== this.range.start || end !== this.range.end)) {
      throw new StorageError('UNAVAILABLE', `expected ${toText(this.range)}, found ${toText({ start, end })}`, { key });
    }
  }

  /** The next bytes, never none; undefined at the end of the range. */
  async next(): Promise<Uint8Array | undefined> {
    const chunk = await this.#exchange.next();
    const { start, end } = this.range;
    if (chunk === undefined) {
      if (this.#at === end) return undefined;
      const message = `expected ${end - start} bytes, found ${this.#at - start}`;
      throw new StorageError('SHORT_READ', message, { key: this.#key, isTransient: true });
    }
    if (chunk.length > end - this.#at) {
      throw new StorageError('UNAVAILABLE', `expected ${end - start} bytes, found more`, { key: this.#key });
    }
    this.#at += chunk.length;
    return chunk;
  }

  end(): void {
    this.#exchange.end();
  }
}

/** Some servers take no ranges of empty objects. */
function toEmpty(exchange: Exchange, key: string): { start: number; end: number; size: number } {
  if (isEmpty(exchange)) return { start: 0, end: 0, size: 0 };
  throw ignoresRange(key);
}

function toText({ start, end }: ByteRange): string {
  return `bytes [${start}, ${end})`;
}
