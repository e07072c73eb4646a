import type { Transport, TransportOptions } from '@htskit/http';
import { concatBytes, toByteStream } from '@htskit/io';
import { onAbort } from '@htskit/io/internal';
import { ClientError, createClientTransport, RefgetClientError } from '../client-error.js';
import type { RefgetCapabilities, RefgetMetadata } from './documents.js';
import { parseSequenceId, type SequenceId } from './sequence.js';
import { type RefgetServer, type SequenceInterval, ServerConnection } from './server-connection.js';

export interface RefgetClientOptions extends TransportOptions {
  /** Tried in this order: the next server is used if one lacks the sequence, fails, or sends something else. */
  readonly servers: readonly (string | RefgetServer)[];
  readonly cache?: SequenceCache;
  /** The maximum number of bases that `sequence` returns. Default 2^30. */
  readonly maxBases?: number;
}

/** Caches whole sequences, which never change, by digest: MD5, `SQ.` or TRUNC512 as in the id, without namespace. */
export interface SequenceCache {
  get(digest: string): Promise<Uint8Array | undefined>;
  /** Called with verified sequences only. Its errors are ignored. */
  put(digest: string, bases: Uint8Array): Promise<void>;
}

/** A request for a part of a sequence, or for all of it without start and end. */
export interface SequenceRequest extends SequenceInterval {
  readonly signal?: AbortSignal;
}

/** Statuses that every server would answer alike. */
const FINAL_STATUSES: readonly number[] = [400, 416];

/**
 * Reads reference sequences from one of several refget servers. All methods throw `RefgetClientError`.
 *
 * @example
 * const refget = new RefgetClient({ servers: ['https://sequences.example.org'] });
 * const bases = await refget.sequence('SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2', { start: 0, end: 5 });
 */
export class RefgetClient {
  readonly #options: RefgetClientOptions;
  readonly #servers: readonly ServerConnection[];
  readonly #transport: Transport;

  /** Throws RangeError for a number of the transport that is outside of its bounds. */
  constructor(options: RefgetClientOptions) {
    if (options.servers.length === 0) throw new RefgetClientError('INVALID_QUERY', 'expected at least one server');
    this.#options = options;
    this.#transport = createClientTransport(options, RefgetClientError);
    this.#servers = options.servers.map(
      (server) => new ServerConnection(typeof server === 'string' ? { url: server } : server),
    );
  }

  /**
   * Returns the bases of a sequence, or of an interval of it, as upper-case letters. A whole sequence that is requested by
   * digest is verified. Throws TOO_LARGE beyond `maxBases`.
   */
  async sequence(id: string, request: SequenceRequest = {}): Promise<Uint8Array> {
    const sequenceId = parseSequenceId(id);
    const interval = toInterval(request);
    const cached = await this.#cached(sequenceId, interval);
    if (cached !== undefined) return cached;
    const { maxBases = 2 ** 30, cache } = this.#options;
    const bases = await this.#firstOf(request.signal, async (server, transport) =>
      collect(await server.bases(sequenceId, interval, transport), maxBases),
    );
    if (interval === undefined && sequenceId.digest !== undefined) {
      // A failing cache must not fail the request.
      await cache?.put(sequenceId.digest.value, bases).catch(() => undefined);
    }
    return bases;
  }

  /**
   * Streams what `sequence` returns, in constant memory. If a server fails before the first base, the next one is used. The
   * digest of a whole sequence is verified at its end: on a mismatch, the stream fails instead of ending.
   */
  async stream(id: string, request: SequenceRequest = {}): Promise<ReadableStream<Uint8Array>> {
    const sequenceId = parseSequenceId(id);
    const interval = toInterval(request);
    const cached = await this.#cached(sequenceId, interval);
    if (cached !== undefined) return toByteStream(single(cached));
    const controller = new AbortController();
    const unlink = onAbort(request.signal ?? this.#options.signal, (reason) => controller.abort(reason));
    try {
      const chunks = await this.#firstOf(controller.signal, async (server, transport) =>
        started(await server.bases(sequenceId, interval, transport), unlink),
      );
      return toByteStream(chunks, { onCancel: (reason) => controller.abort(reason) });
    } catch (error) {
      unlink();
      throw error;
    }
  }

  /** Returns the metadata of a sequence from the first server that has it. */
  async metadata(id: string, { signal }: Pick<SequenceRequest, 'signal'> = {}): Promise<RefgetMetadata> {
    const sequenceId = parseSequenceId(id);
    return this.#firstOf(signal, (server, transport) => server.metadata(sequenceId, transport));
  }

  /** Returns the capabilities of the first server that reports them. */
  async serviceInfo({ signal }: Pick<SequenceRequest, 'signal'> = {}): Promise<RefgetCapabilities> {
    return this.#firstOf(signal, (server, transport) => server.serviceInfo(transport));
  }

  async #cached({ digest }: SequenceId, interval: SequenceInterval | undefined): Promise<Uint8Array | undefined> {
    const bases = digest && (await this.#options.cache?.get(digest.value));
    const { start = 0, end = bases?.length ?? 0 } = interval ?? {};
    // Intervals that wrap or are out of bounds are left to a server.
    return bases !== undefined && start <= end && end <= bases.length ? bases.slice(start, end) : undefined;
  }

  /** Retries all but the last server only once: the next one responds sooner than a long wait ends. */
  async #firstOf<T>(
    signal: AbortSignal | undefined,
    request: (server: ServerConnection, transport: Transport) => Promise<T>,
  ): Promise<T> {
    const transport = { ...this.#transport, signal: signal ?? this.#transport.signal };
    let failure: unknown;
    for (const [index, server] of this.#servers.entries()) {
      const isLast = index === this.#servers.length - 1;
      try {
        return await request(server, {
          ...transport,
          retries: isLast ? transport.retries : Math.min(1, transport.retries),
        });
      } catch (error) {
        if (!(error instanceof ClientError) || FINAL_STATUSES.includes(error.status ?? 0)) throw error;
        // A 404 says less than any other failure.
        if (failure === undefined || isNotFound(failure)) failure = error;
      }
    }
    throw failure;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}

function toInterval({ start, end }: SequenceRequest): SequenceInterval | undefined {
  for (const coordinate of [start, end]) {
    if (coordinate !== undefined && !(Number.isInteger(coordinate) && coordinate >= 0 && coordinate < 2 ** 32)) {
      throw new RefgetClientError('INVALID_QUERY', 'start and end must be integers from 0 to 2^32-1');
    }
  }
  return start === undefined && end === undefined ? undefined : { start, end };
}

async function collect(chunks: AsyncGenerator<Uint8Array, void>, maxBases: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > maxBases) throw new RefgetClientError('TOO_LARGE', `the sequence has more than ${maxBases} bases`);
  }
  return concatBytes(parts);
}

/** Resolves with the chunks once the first one has arrived, so that an earlier failure rejects. */
async function started(
  chunks: AsyncGenerator<Uint8Array, void>,
  onEnd: () => void,
): Promise<AsyncGenerator<Uint8Array, void>> {
  const first = await chunks.next();
  return (async function* rest(): AsyncGenerator<Uint8Array, void> {
    try {
      if (first.done !== true) yield first.value;
      yield* chunks;
    } finally {
      onEnd();
      await chunks.return();
    }
  })();
}

async function* single(bases: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bases.length > 0) yield bases;
}
