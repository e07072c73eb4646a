import { createHash } from 'node:crypto';
import type { BucketLocation, PathLocation, RemoteStorage, SharedCache } from '@htskit/catalogue/internal';
import { sha512t24u } from '@htskit/digest';
import type { BuiltIndexes } from '@htskit/htsget';
import { type Clock, concatBytes, encodeText, type ObjectStore, StorageError } from '@htskit/io';
import { loopTurns } from '@htskit/io/internal';
import { folderStore } from '@htskit/storage/folder';
import { describeError } from '../../errors.js';

/** A folder or a bucket in which replicas share what they read and make of remote files. */
export type SharedCacheLocation = PathLocation | BucketLocation;

export interface SharedCacheOptions {
  /** The keys of block URLs, which all replicas have: the first one signs, all are accepted. */
  readonly signingKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** Logs the first failure to read and to write. */
  readonly log: (message: string) => void;
  /** Default `performance.now`. */
  readonly now?: Clock['now'];
}

/** Bytes of the code before the content (HMAC-SHA-256, RFC 2104). */
const CODE_BYTES = 32;
/** Longer content is not shared. */
const MAX_BYTES = 64 * 2 ** 20;
/** A store that takes longer is slower than to do without. */
const LOAD_MILLISECONDS = 2000;
/** How long a store that has failed is not asked again. */
const PAUSE_MILLISECONDS = 10_000;
/** Bytes that are digested at once: about a millisecond of work. */
const SLICE_BYTES = 2 ** 20;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Opens the store of a shared cache. Nothing is read or written yet. */
export function openSharedStore(location: SharedCacheLocation, storage: RemoteStorage): ObjectStore {
  return location.kind === 's3' ? storage.openStore(location) : folderStore(location.path);
}

/**
 * Returns a cache in a store that others may write to, too: each object holds an authentication code of its name and its content, so
 * that whatever is damaged, truncated, of another name or of another writer counts as missing.
 */
export function storedCache(store: ObjectStore, options: SharedCacheOptions): SharedCache {
  return new StoredCache(store, options);
}

class StoredCache implements SharedCache {
  readonly #store: ObjectStore;
  readonly #log: SharedCacheOptions['log'];
  readonly #now: Clock['now'];
  readonly #keys: Promise<CryptoKey[]>;
  readonly #logged = new Set<string>();
  #pausedUntil = -Infinity;

  constructor(store: ObjectStore, { signingKeys, log, now = (): number => performance.now() }: SharedCacheOptions) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
    this.#keys = Promise.all(signingKeys.map(deriveKey));
  }

  async load(name: string): Promise<Uint8Array | undefined> {
    if (this.#now() < this.#pausedUntil) return undefined;
    try {
      return await this.#verify(name, await this.#read(keyOf(name)));
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'NOT_FOUND')) this.#fail('read from', error);
      return undefined;
    }
  }

  async save(name: string, content: Uint8Array): Promise<void> {
    if (content.length > MAX_BYTES || this.#now() < this.#pausedUntil) return;
    try {
      const [key] = await this.#keys;
      if (key === undefined) return;
      const code = new Uint8Array(await crypto.subtle.sign(HMAC, key, await toSigned(name, content)));
      await this.#store.put(keyOf(name), concatBytes([code, content]));
    } catch (error) {
      this.#fail('write to', error);
    }
  }

  async #read(key: string): Promise<Uint8Array> {
    const source = this.#store.source(key, { isImmutable: true });
    try {
      const range = { start: 0, end: CODE_BYTES + MAX_BYTES };
      return await source.read(range, { signal: AbortSignal.timeout(LOAD_MILLISECONDS) });
    } finally {
      await source.close?.();
    }
  }

  async #verify(name: string, stored: Uint8Array): Promise<Uint8Array | undefined> {
    if (stored.length < CODE_BYTES) return undefined;
    const content = stored.subarray(CODE_BYTES);
    const code = new Uint8Array(stored.subarray(0, CODE_BYTES));
    const signed = await toSigned(name, content);
    for (const key of await this.#keys) {
      if (await crypto.subtle.verify(HMAC, key, code, signed)) return content;
    }
    return undefined;
  }

  #fail(action: 'read from' | 'write to', error: unknown): void {
    this.#pausedUntil = this.#now() + PAUSE_MILLISECONDS;
    if (this.#logged.has(action)) return;
    this.#logged.add(action);
    this.#log(`cannot ${action} sharedCache: ${describeError(error)}`);
  }
}

/** Returns the key of the codes, which differs from those that sign block URLs with the same secret. */
async function deriveKey(secret: Uint8Array): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', new Uint8Array(secret), HMAC, false, ['sign']);
  const derived = await crypto.subtle.sign(HMAC, base, encodeText('htskit sharedCache'));
  return crypto.subtle.importKey('raw', derived, HMAC, false, ['sign', 'verify']);
}

/** Returns what the code is made of. The digest stands for the content, which WebCrypto would copy. */
async function toSigned(name: string, content: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const hash = createHash('sha256');
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    await loopTurns.next();
    hash.update(content.subarray(at, at + SLICE_BYTES));
  }
  return concatBytes([hash.digest(), encodeText(name)]);
}

function keyOf(name: string): string {
  return `shared/${sha512t24u(encodeText(name))}`;
}

/**
 * Returns the indexes that are built of remote files, which are kept in a cache by the version of their file. Those of local files are
 * not, since their versions differ between machines, nor those of encrypted files, which would show where their records are, nor those
 * of files that are read with the headers of a request.
 */
export function sharedIndexes(cache: SharedCache): BuiltIndexes {
  const nameOf: (...of: Parameters<BuiltIndexes['load']>) => string | undefined = (file, version) => {
    const { identity, isEncrypted = false, forwarded } = file;
    if (identity === undefined || isEncrypted || forwarded !== undefined) return undefined;
    return JSON.stringify(['index', identity, version]);
  };
  return {
    async load(file, version) {
      const name = nameOf(file, version);
      return name === undefined ? undefined : cache.load(name);
    },
    async save(file, version, index) {
      const name = nameOf(file, version);
      if (name !== undefined) await cache.save(name, new Uint8Array(index));
    },
  };
}
