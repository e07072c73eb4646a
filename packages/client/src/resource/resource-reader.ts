import {
  cancelBody,
  discardBody,
  readBody,
  readWithRetries,
  sendRequest,
  type Transport,
  toServerError,
  withRetries,
} from '@htskit/http';
import { isStrongEntityTag } from '@htskit/http/internal';
import { ClientError } from '../client-error.js';
import { ReplayFilter } from './replay-filter.js';
import {
  parseContent,
  parseRange,
  type RequestedRange,
  type Resource,
  type ResourceContent,
  type ResourcePart,
  rangeHeader,
  requestHeader,
} from './resource.js';

/** Statuses of a refused range that do not mean that the whole is refused: a signature can cover the Range header. */
export const REFUSED_RANGE_STATUSES: readonly number[] = [400, 403, 416];

/** The state of a resource, as its responses declare it. */
export interface ResourceAnswer {
  /** Equal validators mean equal bytes: the strong ETag, or else the modification date. */
  readonly validator?: string;
  /** Bytes of the response to the resource's own request. */
  readonly totalBytes?: number;
}

export interface ResourceReaderOptions {
  readonly transport: Transport;
  /** Sent to the origin of the URL only. */
  readonly originHeaders?: Readonly<Record<string, string>>;
  /** The validator of the bytes before the part, which all responses must have. */
  readonly validator?: string;
  /** Bytes of the whole resource, as they were declared before. */
  readonly totalBytes?: number;
  /** Called for each response. */
  onAnswer?(answer: ResourceAnswer): void;
}

/**
 * Reads one part of a resource over HTTP. After a transient failure it continues at the byte where it broke, by a range
 * request if the server supports ranges. Otherwise it starts again, and skips what was delivered once that is shown to be
 * the same.
 */
export class ResourceReader {
  readonly #part: ResourcePart;
  readonly #options: ResourceReaderOptions;
  readonly #transport: Transport;
  /** The next byte. */
  #position: number;
  /** MD5 of all bytes before it, if it may be needed. */
  #md5: string | undefined;
  #validator: string | undefined;
  #totalBytes: number | undefined;
  #isRangeable: boolean;

  constructor(part: ResourcePart, options: ResourceReaderOptions) {
    this.#part = part;
    this.#options = options;
    this.#transport = options.transport;
    this.#position = part.start;
    this.#validator = options.validator;
    this.#totalBytes = options.totalBytes;
    const own = rangeHeader(part.resource);
    this.#isRangeable = own === undefined || parseRange(own) !== undefined;
  }

  /** Yields the bytes of the part. */
  read(): AsyncGenerator<Uint8Array, void> {
    return readWithRetries(this.#transport, () => this.#attempt());
  }

  /** Requests headers only. Throws CHANGED unless they show that the bytes are those that were received before. */
  check(): Promise<void> {
    return withRetries(this.#transport, async () => {
      const requested = this.#nextRange();
      const response = await this.#send(requested);
      await discardBody(response, this.#transport);
      this.#verify(parseContent(response, requested, this.#transport));
    });
  }

  async *#attempt(): AsyncGenerator<Uint8Array, void> {
    if (this.#isComplete()) return;
    const { response, requested } = await this.#sendNext();
    try {
      const content = parseContent(response, requested, this.#transport);
      const start = this.#verify(content);
      this.#isRangeable = content.isRangeable;
      const chunks = readBody(response, this.#transport, content.length);
      const isContinued = start === this.#position && (content.isRangeable || content.validator !== undefined);
      if (!isContinued) return yield* this.#skipDelivered(chunks);
      this.#md5 = undefined;
      for await (const chunk of chunks) {
        this.#position += chunk.length;
        yield chunk;
      }
    } finally {
      cancelBody(response);
    }
  }

  /** Requests what was not received yet, or the resource's own range if the server refuses that. */
  async #sendNext(): Promise<{ readonly response: Response; readonly requested: RequestedRange }> {
    const requested = this.#nextRange();
    try {
      return { response: await this.#send(requested), requested };
    } catch (error) {
      if (!this.#isRangeRefused(error, requested)) throw error;
      this.#isRangeable = false;
      const own = this.#nextRange();
      return { response: await this.#send(own), requested: own };
    }
  }

  /** Whether the last connection broke after the last byte. */
  #isComplete(): boolean {
    const end = this.#part.end ?? this.#totalBytes;
    return this.#position > this.#part.start && this.#position === end;
  }

  /** Returns the resource's own range, or the rest of it. */
  #nextRange(): RequestedRange {
    const { resource, end, isSplit } = this.#part;
    const own = rangeHeader(resource);
    const { start: base = 0, end: ownEnd } = parseRange(own) ?? {};
    if (!isSplit && (this.#position === 0 || !this.#isRangeable)) return { header: own, isOptional: false };
    const resourceEnd = end === undefined ? ownEnd : base + end;
    const last = resourceEnd === undefined ? '' : resourceEnd - 1;
    return { header: `bytes=${base + this.#position}-${last}`, isOptional: own === undefined };
  }

  #isRangeRefused(error: unknown, { header }: RequestedRange): boolean {
    const isOwn = header === rangeHeader(this.#part.resource);
    const status = error instanceof ClientError ? error.status : undefined;
    return !isOwn && !this.#part.isSplit && status !== undefined && REFUSED_RANGE_STATUSES.includes(status);
  }

  async #send({ header }: RequestedRange): Promise<Response> {
    const { resource } = this.#part;
    const response = await sendRequest(this.#transport, {
      url: resource.url,
      // Without an encoding, lengths and ranges are those of the stored bytes.
      headers: { 'accept-encoding': 'identity', ...withRange(resource, header) },
      originHeaders: this.#options.originHeaders,
    });
    if (response.status !== 200 && response.status !== 206) throw await toServerError(response, this.#transport);
    if (isAnotherVersion(response, resource)) {
      cancelBody(response);
      throw this.#changed();
    }
    return response;
  }

  /** Returns the byte at which the body begins. Throws CHANGED if its bytes may differ from those received before. */
  #verify({ start, length, validator }: ResourceContent): number {
    const { start: base = 0 } = parseRange(rangeHeader(this.#part.resource)) ?? {};
    const first = start === undefined ? 0 : start - base;
    const isProven = validator !== undefined && validator === this.#validator;
    const mustBeProven = this.#options.validator !== undefined || (first < this.#position && this.#md5 === undefined);
    if (this.#validator !== undefined && validator !== undefined && !isProven) throw this.#changed();
    if (mustBeProven && !isProven) throw this.#changed();
    this.#validator ??= validator;
    const isToEnd = !this.#part.isSplit && length !== undefined;
    const totalBytes = isToEnd ? first + length : undefined;
    if (totalBytes !== undefined && totalBytes !== (this.#totalBytes ?? totalBytes)) throw this.#changed();
    this.#totalBytes = totalBytes ?? this.#totalBytes;
    this.#options.onAnswer?.({
      validator,
      totalBytes,
    });
    return first;
  }

  #changed(): Error {
    const message = 'the resource has changed, or the server does not show that it has not';
    return this.#transport.createError({ code: 'CHANGED', message });
  }

  async *#skipDelivered(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
    const filter = new ReplayFilter({ length: this.#position, md5: this.#md5 }, this.#transport);
    try {
      for await (const chunk of chunks) {
        const rest = filter.rest(chunk);
        this.#position += rest.length;
        if (rest.length > 0) yield rest;
      }
      if (filter.isSkipping) throw this.#changed();
    } finally {
      ({ length: this.#position, md5: this.#md5 } = filter.finish());
    }
  }
}

/** Returns whether a store ignored the `If-Match` header with one entity tag that the resource is requested with. */
function isAnotherVersion(response: Response, resource: Resource): boolean {
  const requested = requestHeader(resource, 'if-match') ?? '';
  const found = response.headers.get('etag') ?? '';
  return isStrongEntityTag(requested) && isStrongEntityTag(found) && requested !== found;
}

function withRange({ headers = {} }: Resource, range: string | undefined): Readonly<Record<string, string>> {
  if (range === undefined) return headers;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'range');
  return { ...Object.fromEntries(others), range };
}
