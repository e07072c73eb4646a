import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { toNodeListener } from '@htskit/adapters/node';
import { BlockCache } from '@htskit/storage/cache';
import { describeError } from '../describe-error.js';
import type { ObjectFinder } from '../locations/object-finder.js';
import { RunningService } from './service/retirable-service.js';
import type { SequenceSources } from '../sequences.js';
import { openOperation, type RunOptions, type ServeOperation } from './frontend.js';
import { createHandler, openFiles, type ServiceOptions } from './service/open-files.js';

export interface ServeOptions extends Omit<ServiceOptions, 'onHtsgetEvent'>, RunOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Where clients reach the server; by default the address that it listens on, or the loopback one where that is any. */
  readonly publicUrl?: string | undefined;
  /**
   * Keys of the block URLs' signatures: the first one signs, all are accepted. By default a random one, which is accepted
   * until the process ends.
   */
  readonly signingKeys?: readonly [Uint8Array, ...Uint8Array[]] | undefined;
  /** Bytes of the parts of remote files that are kept in memory. Default 64 MiB. */
  readonly blockCacheBytes?: number | undefined;
}

export interface RunningServer {
  /** The address it listens on, without a slash at the end. */
  readonly url: string;
  /** Where clients are sent, without a slash at the end. */
  readonly publicUrl: string;
  /** What it serves now. */
  readonly objects: ObjectFinder;
  readonly sequences: SequenceSources;
  /**
   * Serves by other options from now on, but for where it listens and who is told of it, which stay. Resolves once it does,
   * which is when the digests of the sequences are there; requests that run by then are answered as they would have been.
   * Where it fails, all stays as it was.
   */
  reload(options: ServeOptions): Promise<void>;
  /** Takes no new connections, lets running answers end, and resolves when all have. */
  close(): Promise<void>;
}

/** What a server that runs does not take anew. */
const UNCHANGEABLE = ['host', 'port', 'tls', 'trustedProxies', 'metrics', 'tracing'] as const;

/**
 * Serves the files below some paths and at further locations over htsget and refget, also while sequences are still being
 * digested. Throws where a path is missing or that of a file which cannot be served, where aliases are malformed, where a
 * store of sequences cannot be opened, where the port is taken, and RangeError for a public URL that is none.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const running = new Serving(options);
  await running.start();
  return running;
}

class Serving implements RunningServer {
  url = '';
  publicUrl = '';
  readonly #options: ServeOptions;
  /** Undefined before it starts. */
  #operation: ServeOperation | undefined;
  /** Accepted always: block URLs must outlive a configuration that is loaded anew. */
  readonly #ownKey: Uint8Array = crypto.getRandomValues(new Uint8Array(32));
  #cache: BlockCache;
  #service: RunningService | undefined;
  /** Services that were replaced, and may still be answering. */
  readonly #retired = new Set<Promise<void>>();
  #reloading: Promise<void> = Promise.resolve();
  /** Ends the last reload, if it still waits for digests. */
  #giveUp: (reason: string) => void = () => undefined;
  #isClosing = false;

  constructor(options: ServeOptions) {
    this.#options = options;
    this.#cache = new BlockCache({ maxBytes: options.blockCacheBytes });
  }

  async start(): Promise<void> {
    const files = await openFiles(this.#options, this.#cache);
    try {
      const operation = await openOperation(this.#options, (incoming, outgoing) => {
        if (this.#service === undefined) outgoing.writeHead(503).end();
        else this.#service.answer(incoming, outgoing);
      });
      this.#operation = operation;
      operation.watchCache('blocks', this);
      this.url = await listen(operation, this.#options);
      this.#service = this.#toService(this.#options, files);
      operation.setReady();
    } catch (error) {
      await Promise.all([this.#operation?.close(), files.close()]);
      throw error;
    }
  }

  /** Of the cache of blocks. */
  get hitCount(): number {
    return this.#cache.hitCount;
  }

  get missCount(): number {
    return this.#cache.missCount;
  }

  get objects(): ObjectFinder {
    return this.#current.files.objects;
  }

  get sequences(): SequenceSources {
    return this.#current.files.sequences;
  }

  reload(options: ServeOptions): Promise<void> {
    // One after the other, so that the last one stays; it need not wait for digests that nobody wants any more.
    this.#giveUp('another configuration has come');
    const isGivenUp = new Promise<never>((_, reject) => {
      this.#giveUp = (reason) => reject(new Error(reason));
    });
    isGivenUp.catch(() => undefined);
    const reloaded = this.#reloading.then(() => this.#replace(options, isGivenUp));
    this.#reloading = reloaded.catch(() => undefined);
    return reloaded;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#giveUp('the server closes');
    await this.#operation?.close();
    await this.#reloading;
    await Promise.all([this.#service?.retire(), ...this.#retired]);
  }

  get #current(): RunningService {
    if (this.#service === undefined) throw new Error('the server does not run');
    return this.#service;
  }

  async #replace(options: ServeOptions, isGivenUp: Promise<never>): Promise<void> {
    if (this.#isClosing) throw new Error('the server closes');
    const { blockCacheBytes } = options;
    const cache = new BlockCache({ maxBytes: blockCacheBytes });
    // What is there stays, unless it has another size.
    const sameCache = cache.maxBytes === this.#cache.maxBytes ? this.#cache : cache;
    const files = await openFiles(options, sameCache);
    try {
      // What was served so far must not be unavailable meanwhile.
      await Promise.race([files.sequences.settled(), isGivenUp]);
      const replaced = this.#service;
      this.#service = this.#toService(options, files);
      this.#cache = sameCache;
      this.#tellUnchangeable(options);
      await this.#operation?.reload(options);
      if (replaced !== undefined) this.#retire(replaced, options);
    } catch (error) {
      await files.close();
      throw error;
    }
  }

  #tellUnchangeable(options: ServeOptions): void {
    const changed = UNCHANGEABLE.filter((name) => !isDeepStrictEqual(options[name], this.#options[name]));
    if (changed.length === 0) return;
    options.log(`stays as it is until the server is started again: ${changed.join(', ')}`);
  }

  #retire(service: RunningService, { log }: ServeOptions): void {
    const retired = service
      .retire()
      .catch((error: unknown) => log(describeError(error)))
      .finally(() => this.#retired.delete(retired));
    this.#retired.add(retired);
  }

  #toService(options: ServeOptions, files: RunningService['files']): RunningService {
    const publicUrl = options.publicUrl?.replace(/\/+$/, '') ?? toLoopback(this.url);
    const [first = this.#ownKey, ...others] = options.signingKeys ?? [];
    const signingKeys = [first, ...others, this.#ownKey] as const;
    const onHtsgetEvent = this.#operation?.observeEvent;
    const handler = createHandler({ ...options, publicUrl, signingKeys: [...signingKeys], onHtsgetEvent }, files);
    this.publicUrl = publicUrl;
    this.#operation?.describe({ authority: options.authority, publicUrl });
    if (options.publicUrl === undefined && publicUrl !== this.url) {
      options.log(`clients are sent to ${publicUrl}, which only this machine reaches: give a public URL`);
    }
    return new RunningService(handler, files, toNodeListener);
  }
}

async function listen({ server, scheme }: ServeOperation, { host, port }: ServeOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server that listens on host and port has an address of this type.
  const address = server.address() as AddressInfo;
  return `${scheme}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** The URL with the loopback address in place of the one for all interfaces, which is none to connect to. */
export function toLoopback(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
