import { createCipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
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

/** Authenticates seven times as many bytes in a second as HMAC-SHA-256 does (GMAC, NIST SP 800-38D). */
const ALGORITHM = 'aes-256-gcm';
/** Bytes before the content: a random nonce, and the code. */
const NONCE_BYTES = 12;
const CODE_BYTES = 16;
const CONTENT_START = NONCE_BYTES + CODE_BYTES;
/** Longer content is not shared. */
const MAX_BYTES = 64 * 2 ** 20;
/** A store that takes longer is slower than to do without. */
const LOAD_MILLISECONDS = 2000;
/** How long a store that has failed is not asked again. */
const PAUSE_MILLISECONDS = 10_000;
/** Bytes that are authenticated at once: less than a millisecond of work. */
const SLICE_BYTES = 4 * 2 ** 20;

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
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];
  readonly #logged = new Set<string>();
  #pausedUntil = -Infinity;

  constructor(store: ObjectStore, { signingKeys, log, now = (): number => performance.now() }: SharedCacheOptions) {
    this.#store = store;
    this.#log = log;
    this.#now = now;
    const [first, ...others] = signingKeys;
    this.#keys = [deriveKey(first), ...others.map(deriveKey)];
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
      const nonce = randomBytes(NONCE_BYTES);
      const code = await codeOf({ name, content, nonce, key: this.#keys[0] });
      await this.#store.put(keyOf(name), concatBytes([nonce, code, content]));
    } catch (error) {
      this.#fail('write to', error);
    }
  }

  async #read(key: string): Promise<Uint8Array> {
    const source = this.#store.source(key, { isImmutable: true });
    try {
      const range = { start: 0, end: CONTENT_START + MAX_BYTES };
      return await source.read(range, { signal: AbortSignal.timeout(LOAD_MILLISECONDS) });
    } finally {
      await source.close?.();
    }
  }

  async #verify(name: string, stored: Uint8Array): Promise<Uint8Array | undefined> {
    if (stored.length < CONTENT_START) return undefined;
    const nonce = stored.subarray(0, NONCE_BYTES);
    const code = stored.subarray(NONCE_BYTES, CONTENT_START);
    const content = stored.subarray(CONTENT_START);
    for (const key of this.#keys) {
      if (timingSafeEqual(code, await codeOf({ name, content, nonce, key }))) return content;
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
function deriveKey(secret: Uint8Array): Uint8Array {
  return createHmac('sha256', secret).update('htskit sharedCache').digest();
}

interface CodedContent {
  readonly name: string;
  readonly content: Uint8Array;
  /** Unique among the saves with a key: random ones suffice for 2^32 saves (SP 800-38D §8.3). */
  readonly nonce: Uint8Array;
  readonly key: Uint8Array;
}

/** Returns the code of a name and its content. The name counts by its digest, so that no part of it can move to the content. */
async function codeOf({ name, content, nonce, key }: CodedContent): Promise<Uint8Array> {
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(createHash('sha256').update(name).digest());
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    await loopTurns.next();
    cipher.setAAD(content.subarray(at, at + SLICE_BYTES));
  }
  cipher.final();
  return cipher.getAuthTag();
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
