import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { ObjectCatalogue } from '@htskit/catalogue';
import type { WatchedSequences } from '@htskit/catalogue/folder';
import { loopTurns } from '@htskit/io/internal';
import { BlockCache } from '@htskit/storage/cache';
import { describeError } from '../errors.js';
import { type Frontend, type FrontendOptions, openFrontend } from './frontend.js';
import type { CloseOptions } from './gate/gated-server.js';
import { toLoopback } from './public-url.js';
import { warnOfMissingReferences } from './references/missing-references.js';
import { featuresOf } from './service/features.js';
import { createFailureLog } from './service/handlers.js';
import { RetirableService } from './service/retirable-service.js';
import type { ServedFiles } from './service/served-files.js';
import { openServedFiles, type ServiceOptions, ServiceResources } from './service-resources.js';

/** Settings of a server. */
export interface ServeOptions extends ServiceOptions, FrontendOptions {
  readonly host: string;
  /** The port to listen on; 0 takes a free one. */
  readonly port: number;
  /**
   * The URL at which clients reach the server. Default: the address it listens on, with the loopback address in place of the
   * one for all interfaces.
   */
  readonly publicUrl?: string;
  /** Whether the server listens only when all sequences are digested. Default false. */
  readonly settlesFirst?: boolean;
}

/** A server that listens. */
export interface RunningServer {
  /** The address it listens on, without a slash at the end. */
  readonly url: string;
  /** The URL at which clients reach it, without a slash at the end. */
  readonly publicUrl: string;
  /** The htsget objects that it serves now. */
  readonly objects: ObjectCatalogue;
  /** The sequences that it serves now. */
  readonly sequences: WatchedSequences;
  /** The number of files of objects that were found not to be served. Each was logged. */
  readonly unservedFiles: number;
  /**
   * Replaces the options, except for the address it listens on, metrics and tracing. Resolves when the new options are in use,
   * which is after the sequences were digested. Running requests finish with the old options. On failure nothing changes.
   */
  reload(options: ServeOptions): Promise<void>;
  /** Accepts no new connections, lets running responses end, and resolves after the last one. */
  close(options?: CloseOptions): Promise<void>;
}

/** Options that a reload cannot change. */
const FIXED_OPTIONS = ['host', 'port', 'tls', 'trustedProxies', 'metrics', 'tracing', 'workerThreads'] as const;

/**
 * Serves files below some paths and at further locations over htsget and refget. It starts while sequences are still being
 * digested. Throws if a path is missing or cannot be served, aliases are malformed, a sequence store cannot be opened, or the
 * port is in use, and RangeError for an invalid public URL.
 *
 * @example
 * const server = await serve({ paths: ['/data'], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: console.error });
 * console.log(server.url);
 * await server.close();
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const server = new ReloadableServer(options);
  await server.start();
  return server;
}

class ReloadableServer implements RunningServer {
  url = '';
  publicUrl = '';
  readonly #options: ServeOptions;
  /** Undefined before `start`. */
  #frontend: Frontend | undefined;
  readonly #resources: ServiceResources;
  #cache: BlockCache;
  #service: RetirableService | undefined;
  /** Replaced services that may still be answering. */
  readonly #retired = new Set<Promise<void>>();
  #reloading: Promise<void> = Promise.resolve();
  /** Ends the last reload if it still waits for digests. */
  #giveUp: (reason: string) => void = () => undefined;
  #isClosing = false;

  constructor(options: ServeOptions) {
    this.#options = options;
    this.#resources = new ServiceResources(options);
    this.#cache = new BlockCache({ maxBytes: options.blockCacheBytes });
  }

  async start(): Promise<void> {
    const files = await openServedFiles(this.#options, this.#cache);
    try {
      const frontend = await openFrontend(this.#options, (incoming, outgoing, admitted) => {
        if (this.#service === undefined) outgoing.writeHead(503).end();
        else this.#service.answer(incoming, outgoing, admitted);
      });
      this.#frontend = frontend;
      frontend.server.on('connection', () => loopTurns.postpone());
      frontend.watchCache('blocks', this);
      if (this.#options.settlesFirst === true) await files.sequences.settled();
      this.url = await listen(frontend, this.#options);
      this.#service = this.#createService(this.#options, files);
      frontend.watchStores(() => {
        const { guards, hasLocal } = this.#current.files;
        return { stores: guards, hasLocal };
      });
      frontend.setReady();
      this.#warnOfReferences(files);
    } catch (error) {
      await Promise.all([this.#frontend?.close(), files.close(), this.#resources.close()]);
      throw error;
    }
  }

  /** Warns of CRAM files whose references are not served. Buckets are not listed for that. */
  #warnOfReferences(files: ServedFiles): void {
    const { objectLocations = [], reference, settlesFirst, log } = this.#options;
    // The first of several processes has warned.
    if (settlesFirst === true || objectLocations.some(({ location }) => location.kind !== 'path')) return;
    // A closing server ends the search.
    void warnOfMissingReferences(files, { reference, log }).catch(() => undefined);
  }

  /** Hits of the block cache, for the metrics. */
  get hitCount(): number {
    return this.#cache.hitCount;
  }

  /** Misses of the block cache, for the metrics. */
  get missCount(): number {
    return this.#cache.missCount;
  }

  get objects(): ObjectCatalogue {
    return this.#current.files.objects;
  }

  get sequences(): WatchedSequences {
    return this.#current.files.sequences;
  }

  get unservedFiles(): number {
    return this.#current.files.unservedFiles;
  }

  reload(options: ServeOptions): Promise<void> {
    // Reloads run one after another, so that the last one wins. An earlier one need not wait for its digests any more.
    this.#giveUp('replaced by another configuration');
    const isGivenUp = new Promise<never>((_, reject) => {
      this.#giveUp = (reason) => reject(new Error(reason));
    });
    isGivenUp.catch(() => undefined);
    const reloaded = this.#reloading.then(() => this.#replace(options, isGivenUp));
    this.#reloading = reloaded.catch(() => undefined);
    return reloaded;
  }

  async close(options?: CloseOptions): Promise<void> {
    this.#isClosing = true;
    this.#giveUp('the server is closing');
    await this.#frontend?.close(options);
    await this.#reloading;
    await Promise.all([this.#service?.retire(), ...this.#retired]);
    await this.#resources.close();
  }

  get #current(): RetirableService {
    if (this.#service === undefined) throw new Error('the server is not running');
    return this.#service;
  }

  async #replace(options: ServeOptions, isGivenUp: Promise<never>): Promise<void> {
    if (this.#isClosing) throw new Error('the server is closing');
    const { blockCacheBytes } = options;
    const emptyCache = new BlockCache({ maxBytes: blockCacheBytes });
    // The cache is kept unless its size changed.
    const cache = emptyCache.maxBytes === this.#cache.maxBytes ? this.#cache : emptyCache;
    const files = await openServedFiles(options, cache);
    try {
      // Sequences that were served before must stay available.
      await Promise.race([files.sequences.settled(), isGivenUp]);
      const replaced = this.#service;
      this.#service = this.#createService(options, files);
      this.#cache = cache;
      this.#logFixedOptions(options);
      await this.#frontend?.reload(options);
      if (replaced !== undefined) this.#retire(replaced, options);
    } catch (error) {
      await files.close();
      throw error;
    }
  }

  #logFixedOptions(options: ServeOptions): void {
    const changed = FIXED_OPTIONS.filter((name) => !isDeepStrictEqual(options[name], this.#options[name]));
    if (changed.length === 0) return;
    options.log(`these settings change only with a restart: ${changed.join(', ')}`);
  }

  #retire(service: RetirableService, { log }: ServeOptions): void {
    const retired = service
      .retire()
      .catch((error: unknown) => log(describeError(error)))
      .finally(() => this.#retired.delete(retired));
    this.#retired.add(retired);
  }

  #createService(options: ServeOptions, files: ServedFiles): RetirableService {
    const publicUrl = options.publicUrl?.replace(/\/+$/, '') ?? toLoopback(this.url);
    const { observeEvent: onEvent, observeDrsEvent: onDrsEvent, clientOf } = this.#frontend ?? {};
    const report = createFailureLog(options.log);
    const handler = this.#resources.createHandler(options, files, { publicUrl, report, onEvent, onDrsEvent, clientOf });
    this.publicUrl = publicUrl;
    this.#frontend?.describe({ authority: options.authority, publicUrl, features: featuresOf(options) });
    if (options.publicUrl === undefined && publicUrl !== this.url) {
      options.log(`block URLs begin with ${publicUrl}, which only this machine can reach; use --public-url`);
    }
    return new RetirableService({ files, handler, report });
  }
}

/**
 * The maximum number of connections that wait to be accepted. A client beyond it retries after a second. Linux allows 4096 by
 * default.
 */
const BACKLOG = 4096;

async function listen({ server, scheme }: Frontend, { host, port }: ServeOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server that listens on host and port has an address of this type.
  const address = server.address() as AddressInfo;
  return `${scheme}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}
