import type { ByteSource, SourceStat } from './byte-source.js';
import { StorageError } from './storage-error.js';

export interface ObjectSourceOptions {
  /**
   * States that the object never changes once it exists, as when its key is a digest of its content, so that the store
   * does not check its version. Default false.
   */
  readonly isImmutable?: boolean;
}

export interface StoreOptions {
  readonly signal?: AbortSignal;
}

export interface PutOptions extends StoreOptions {
  /**
   * The version of the object that this one must replace, or null for a new object. If something else exists, nothing is written, and
   * the put fails with CHANGED. Default: anything. Buckets decide that atomically. A folder compares a version just before it writes.
   */
  readonly replaces?: string | null;
  /** The version of the object that this one is made of, which `stat` then returns. Stores without metadata, such as folders, drop it. */
  readonly origin?: string | undefined;
}

/** Bytes that arrive in chunks. Their total is known in advance, so that a bucket takes them in one request. */
export interface ObjectStream {
  /** Total size of all chunks in bytes. */
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * A flat set of named objects, such as a folder or a bucket. It has no renaming, appending or locking. Every store holds the keys
 * that `isObjectKey` accepts. Failures are `StorageError`s, including INVALID_KEY for a key that the store cannot hold.
 */
export interface ObjectStore {
  /** Returns the object of a key, which need not exist yet. */
  source(key: string, options?: ObjectSourceOptions): ByteSource;
  /**
   * Writes an object, by default replacing an existing one. Readers see the old object, or none, until the new one is stored
   * completely; after a failure they still do. If two writers use one key, one of them wins. Streams are not buffered.
   * Fails with INVALID_CONTENT if a stream does not hold as many bytes as its size, and with what its chunks throw.
   */
  put(key: string, content: Uint8Array | ObjectStream, options?: PutOptions): Promise<void>;
  /**
   * Lists the keys that begin with `prefix` and that `source` accepts, in no particular order. Objects that are created or
   * deleted during the listing may be missing or included.
   */
  list(prefix: string, options?: StoreOptions): AsyncIterable<string>;
  /** Deletes an object. Deleting a missing object succeeds. */
  delete(key: string, options?: StoreOptions): Promise<void>;
  /**
   * Returns the paths of temporary files that interrupted writers left behind, relative to the store. The next write removes
   * them. Stores without temporary files omit the method.
   */
  listAbandoned?(): Promise<readonly string[]>;
}

/** Characters that folders and buckets accept without escaping. */
const SEGMENT = /^[A-Za-z0-9!%_-][A-Za-z0-9!%_.-]*$/;
/** Longest file name of common file systems, in bytes. */
const MAX_SEGMENT_LENGTH = 255;
/** Longest S3 key, in bytes. */
const MAX_KEY_LENGTH = 1024;

/**
 * Returns whether `key` can name an object in every store: at most 1,024 characters, made of segments separated by `/`. A
 * segment has 1 to 255 letters, digits and `! % _ . -`, and does not begin with a dot.
 */
export function isObjectKey(key: string): boolean {
  if (key.length > MAX_KEY_LENGTH) return false;
  return key.split('/').every((segment) => segment.length <= MAX_SEGMENT_LENGTH && SEGMENT.test(segment));
}

/** Throws `StorageError` INVALID_KEY if `isObjectKey` refuses the key. */
export function checkObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new StorageError('INVALID_KEY', 'not a valid object key', { key });
}

/** Throws `StorageError` INVALID_CONTENT unless a stream held as many bytes as its size. */
export function checkContentSize(found: number, { size }: ObjectStream, key: string): void {
  if (found === size) return;
  throw new StorageError('INVALID_CONTENT', `expected ${size} bytes, found ${found}`, { key });
}

/** Throws `StorageError` CHANGED unless the object that was found, or undefined for none, is what a put must replace. */
export function checkReplaced(
  found: Pick<SourceStat, 'version'> | undefined,
  replaces: PutOptions['replaces'],
  key: string,
): void {
  if (replaces === undefined || replaces === (found === undefined ? null : found.version)) return;
  throw new StorageError('CHANGED', 'the object is not the one to replace', { key });
}
