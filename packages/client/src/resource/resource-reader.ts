import { ClientError } from '../client-error.js';
import { lengthError, readBody } from '../transport/body.js';
import { RetryState, withRetries } from '../transport/retry.js';
import { discard, send } from '../transport/send.js';
import { toServerError } from '../transport/server-error.js';
import type { Transport } from '../transport/transport.js';
import { ReplayFilter } from './replay-filter.js';
import { parseRange, type Resource, type ResourcePart, rangeHeader } from './resource.js';
import { type AskedRange, type ResourceResponse, readResourceResponse } from './resource-response.js';

/** Statuses of a range that is refused although the whole may not be: a signature can cover the Range header. */
export const REFUSED_RANGE_STATUSES: readonly number[] = [400, 403, 416];
/** RFC 9110 §8.8.3. */
const STRONG_ETAG = /^"[^"]*"$/;
/** Bytes after which earlier failures do not count. */
const PROGRESS_BYTES = 1_048_576;

/** What the answers of a resource tell. */
export interface ResourceAnswer {
  /** Equal ones stand for equal bytes: the strong ETag, or else the date of the last change. */
  readonly validator?: string | undefined;
  /** Bytes of all that the resource's own request is answered with. */
  readonly totalBytes?: number | undefined;
}

export interface ResourceReaderOptions {
  readonly transport: Transport;
  /** Sent to the origin of the URL only. */
  readonly originHeaders?: Readonly<Record<string, string>> | undefined;
  /** The validator under which the bytes before the part were received: all others come under the same, or not at all. */
  readonly validator?: string | undefined;
  /** All its bytes, as they were told then. */
  readonly totalBytes?: number | undefined;
  /** Told of each answer, with what it tells. */
  onAnswer?(answer: ResourceAnswer): void;
}

/**
 * Reads one part of a resource over HTTP. After a failure that may pass it goes on at the byte where it broke, by a range
 * where the server knows ranges; otherwise it is started again, and what was given out before is skipped once it
 * is shown to be the same.
 */
export class ResourceReader {
  readonly #part: ResourcePart;
  readonly #options: ResourceReaderOptions;
  readonly #transport: Transport;
  /** Byte that comes next. */
  #at: number;
  /** MD5 of all bytes before it, where that may be needed. */
  #md5: string | undefined;
  #validator: string | undefined;
  #totalBytes: number | undefined;
  #isRangeable = true;

  constructor(part: ResourcePart, options: ResourceReaderOptions) {
    this.#part = part;
    this.#options = options;
    this.#transport = options.transport;
    this.#at = part.start;
    this.#validator = options.validator;
    this.#totalBytes = options.totalBytes;
    const own = rangeHeader(part.resource);
    if (own !== undefined && parseRange(own) === undefined) this.#isRangeable = false;
  }

  async *read(): AsyncGenerator<Uint8Array, void> {
    const patience = new RetryState(this.#transport);
    for (let mark = this.#at; !this.#isComplete(); ) {
      const asked = this.#ask();
      try {
        return yield* this.#attempt(asked);
      } catch (error) {
        if (this.#isRangeRefused(error, asked)) {
          this.#isRangeable = false;
          continue;
        }
        if (this.#at - mark >= PROGRESS_BYTES) patience.reset();
        mark = this.#at;
        await patience.wait(error);
      }
    }
  }

  /** A connection may also break behind the last byte. */
  #isComplete(): boolean {
    const end = this.#part.end ?? this.#totalBytes;
    return this.#at > this.#part.start && this.#at === end;
  }

  /** Fetches headers only. Throws CHANGED where they do not show that the bytes are those that were received before. */
  check(): Promise<void> {
    return withRetries(this.#transport, async () => {
      const asked = this.#ask();
      const response = await this.#send(asked);
      discard(response);
      this.#verify(readResourceResponse(response, asked, this.#transport));
    });
  }

  /** The resource's own range, or what is missing of it. */
  #ask(): AskedRange {
    const { resource, end, isSplit } = this.#part;
    const own = rangeHeader(resource);
    const { start: base = 0, end: ownEnd } = parseRange(own) ?? {};
    if (!isSplit && (this.#at === 0 || !this.#isRangeable)) return { header: own, isOptional: false };
    const resourceEnd = end === undefined ? ownEnd : base + end;
    const last = resourceEnd === undefined ? '' : resourceEnd - 1;
    return { header: `bytes=${base + this.#at}-${last}`, isOptional: own === undefined };
  }

  #isRangeRefused(error: unknown, { header }: AskedRange): boolean {
    const isOwn = header === rangeHeader(this.#part.resource);
    const status = error instanceof ClientError ? error.status : undefined;
    return !isOwn && !this.#part.isSplit && status !== undefined && REFUSED_RANGE_STATUSES.includes(status);
  }

  async *#attempt(asked: AskedRange): AsyncGenerator<Uint8Array, void> {
    const response = await this.#send(asked);
    try {
      const answer = readResourceResponse(response, asked, this.#transport);
      const first = this.#verify(answer);
      this.#isRangeable = answer.isRangeable;
      const chunks = this.#wholeBody(response, answer.length);
      if (first === this.#at && (answer.isRangeable || answer.validator !== undefined)) yield* this.#count(chunks);
      else yield* this.#skipGiven(chunks);
    } finally {
      discard(response);
    }
  }

  async #send({ header }: AskedRange): Promise<Response> {
    const { resource } = this.#part;
    // No encoding: lengths and ranges are those of the bytes as they are.
    const headers = { 'accept-encoding': 'identity', ...withRange(resource, header) };
    const response = await send(this.#transport, {
      url: resource.url,
      headers,
      originHeaders: this.#options.originHeaders,
    });
    if (response.status !== 200 && response.status !== 206) throw await toServerError(response, this.#transport);
    if (isAnotherVersion(response, resource)) {
      discard(response);
      throw this.#changed();
    }
    return response;
  }

  /** The byte at which the body begins. Throws CHANGED where its bytes may be others than before. */
  #verify({ start, length, validator }: ResourceResponse): number {
    const { start: base = 0 } = parseRange(rangeHeader(this.#part.resource)) ?? {};
    const first = start === undefined ? 0 : start - base;
    const isProven = validator !== undefined && validator === this.#validator;
    const mustBeProven = this.#options.validator !== undefined || (first < this.#at && this.#md5 === undefined);
    if (this.#validator !== undefined && validator !== undefined && !isProven) throw this.#changed();
    if (mustBeProven && !isProven) throw this.#changed();
    this.#validator ??= validator;
    const isToEnd = !this.#part.isSplit && length !== undefined;
    const totalBytes = isToEnd ? first + length : undefined;
    if (totalBytes !== undefined && totalBytes !== (this.#totalBytes ?? totalBytes)) throw this.#changed();
    this.#totalBytes = totalBytes ?? this.#totalBytes;
    this.#options.onAnswer?.({
      ...(validator !== undefined && { validator }),
      ...(totalBytes !== undefined && { totalBytes }),
    });
    return first;
  }

  #changed(): ClientError {
    const message = 'a resource has changed since it was begun, or nothing shows that it has not';
    return this.#transport.createError('CHANGED', message);
  }

  /** The chunks of a body. Throws where it has more or fewer bytes than were announced. */
  async *#wholeBody(response: Response, length: number | undefined): AsyncGenerator<Uint8Array, void> {
    let received = 0;
    for await (const chunk of readBody(response, this.#transport)) {
      received += chunk.length;
      if (length !== undefined && received > length) throw lengthError(this.#transport, length, received);
      yield chunk;
    }
    if (length !== undefined && received < length) throw lengthError(this.#transport, length, received);
  }

  async *#count(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
    this.#md5 = undefined;
    for await (const chunk of chunks) {
      this.#at += chunk.length;
      yield chunk;
    }
  }

  async *#skipGiven(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
    const filter = new ReplayFilter({ length: this.#at, md5: this.#md5 }, this.#transport);
    try {
      for await (const chunk of chunks) {
        const rest = filter.rest(chunk);
        this.#at += rest.length;
        if (rest.length > 0) yield rest;
      }
      if (filter.isSkipping) throw this.#changed();
    } finally {
      ({ length: this.#at, md5: this.#md5 } = filter.finish());
    }
  }
}

/** Whether a store has not heeded the `If-Match` header, of one entity-tag, that the resource is asked for with. */
function isAnotherVersion(response: Response, { headers = {} }: Resource): boolean {
  const asked = new Headers(headers).get('if-match') ?? '';
  const found = response.headers.get('etag') ?? '';
  return STRONG_ETAG.test(asked) && STRONG_ETAG.test(found) && asked !== found;
}

function withRange({ headers = {} }: Resource, range: string | undefined): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'range');
  return { ...Object.fromEntries(others), ...(range !== undefined && { range }) };
}
