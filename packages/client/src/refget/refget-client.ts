import { onAbort } from '@htskit/io';
import { ClientError, RefgetClientError } from '../client-error.js';
import { toByteStream } from '../transport/byte-stream.js';
import { concat } from '../transport/concat.js';
import { createTransport, type Transport, type TransportOptions } from '../transport/transport.js';
import type { RefgetCapabilities, RefgetMetadata } from './documents.js';
import { parseSequenceId, type SequenceId } from './sequence-id.js';
import { type BaseInterval, type RefgetServer, ServerConnection } from './server.js';

export interface RefgetClientOptions extends TransportOptions {
  /** Asked in this order: the next one where one does not have the sequence, fails, or sends something else. */
  readonly servers: readonly (string | RefgetServer)[];
  readonly cache?: SequenceCache | undefined;
  /** Bases that `sequence` holds in memory. Default 1 GiB. */
  readonly maxBases?: number | undefined;
}

/** Keeps whole sequences, which never change, by their digests: `md5`, `SQ.` or `trunc512` as in the id, without namespace. */
export interface SequenceCache {
  get(digest: string): Promise<Uint8Array | undefined>;
  /** Told of verified sequences only. What it throws is ignored. */
  put(digest: string, bases: Uint8Array): Promise<void>;
}

/** What to read of a sequence: without start and end, all of it. */
export interface SequenceRequest extends BaseInterval {
  readonly signal?: AbortSignal | undefined;
}

/** Statuses with which all servers answer the same. */
const FINAL_STATUSES: readonly number[] = [400, 416];

/** Reads reference sequences from one of several refget servers. All methods throw `RefgetClientError`. */
export class RefgetClient {
  readonly #options: RefgetClientOptions;
  readonly #servers: readonly ServerConnection[];

  constructor(options: RefgetClientOptions) {
    if (options.servers.length === 0) throw new RefgetClientError('INVALID_QUERY', 'at least one server is needed');
    this.#options = options;
    this.#servers = options.servers.map(
      (server) => new ServerConnection(typeof server === 'string' ? { url: server } : server),
    );
  }

  /**
   * The bases of a sequence, or of an interval of it, as upper-case letters. A whole sequence that is asked for by its
   * digest is verified. Throws TOO_LARGE beyond `maxBases`.
   */
  async sequence(id: string, request: SequenceRequest = {}): Promise<Uint8Array> {
    const sequenceId = parseSequenceId(id);
    const interval = toInterval(request);
    const cached = await this.#cached(sequenceId, interval);
    if (cached !== undefined) return cached;
    const { maxBases = 2 ** 30, cache } = this.#options;
    const bases = await this.#firstOf(request.signal, (server, transport) =>
      collect(server.bases(sequenceId, interval, transport), maxBases),
    );
    if (interval === undefined && sequenceId.digest !== undefined) {
      // The bases are here: that they cannot be kept is no reason to fail.
      await cache?.put(sequenceId.digest.value, bases).catch(() => undefined);
    }
    return bases;
  }

  /**
   * As `sequence`, piece by piece in constant memory. Another server takes the place of one that fails before the first
   * base. The digest of a whole sequence is verified at its end: the stream fails in place of ending.
   */
  async stream(id: string, request: SequenceRequest = {}): Promise<ReadableStream<Uint8Array>> {
    const sequenceId = parseSequenceId(id);
    const interval = toInterval(request);
    const cached = await this.#cached(sequenceId, interval);
    if (cached !== undefined) return toByteStream(single(cached), () => undefined);
    const controller = new AbortController();
    const unlink = onAbort(request.signal ?? this.#options.signal, (reason) => controller.abort(reason));
    try {
      const chunks = await this.#firstOf(controller.signal, (server, transport) =>
        started(server.bases(sequenceId, interval, transport), unlink),
      );
      return toByteStream(chunks, (reason) => controller.abort(reason));
    } catch (error) {
      unlink();
      throw error;
    }
  }

  /** What the first server that knows the sequence says of it. */
  async metadata(id: string, { signal }: Pick<SequenceRequest, 'signal'> = {}): Promise<RefgetMetadata> {
    const sequenceId = parseSequenceId(id);
    return this.#firstOf(signal, (server, transport) => server.metadata(sequenceId, transport));
  }

  /** What the first server that tells can do. */
  async serviceInfo({ signal }: Pick<SequenceRequest, 'signal'> = {}): Promise<RefgetCapabilities> {
    return this.#firstOf(signal, (server, transport) => server.serviceInfo(transport));
  }

  async #cached({ digest }: SequenceId, interval: BaseInterval | undefined): Promise<Uint8Array | undefined> {
    const bases = digest && (await this.#options.cache?.get(digest.value));
    const { start = 0, end = bases?.length ?? 0 } = interval ?? {};
    // What is out of bounds or wraps is for a server to judge.
    return bases !== undefined && start <= end && end <= bases.length ? bases.slice(start, end) : undefined;
  }

  /** All but the last server are asked twice at most: the next one is nearer than a long wait. */
  async #firstOf<T>(
    signal: AbortSignal | undefined,
    ask: (server: ServerConnection, transport: Transport) => Promise<T>,
  ): Promise<T> {
    const transport = createTransport(
      { ...this.#options, signal: signal ?? this.#options.signal },
      (code, message, details) => new RefgetClientError(code, message, details),
    );
    let failure: unknown;
    for (const [rank, server] of this.#servers.entries()) {
      const isLast = rank === this.#servers.length - 1;
      try {
        return await ask(server, {
          ...transport,
          retries: isLast ? transport.retries : Math.min(1, transport.retries),
        });
      } catch (error) {
        if (!(error instanceof ClientError) || FINAL_STATUSES.includes(error.status ?? 0)) throw error;
        // That a server does not have the sequence says less than any other failure.
        if (failure === undefined || isNotFound(failure)) failure = error;
      }
    }
    throw failure;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ClientError && error.status === 404;
}

function toInterval({ start, end }: SequenceRequest): BaseInterval | undefined {
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
    if (length > maxBases) throw new RefgetClientError('TOO_LARGE', `there are more than ${maxBases} bases`);
  }
  return concat(parts);
}

/** The chunks, once the first one is there: a failure before it is one of this promise. */
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
