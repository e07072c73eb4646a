import type { ByteSource } from './byte-source.js';
import { StorageError } from './storage-error.js';

export interface ObjectSourceOptions {
  /**
   * The caller's word that the object never changes once it is there, as where its key is a digest of it: the store need
   * not look whether it did. Default false.
   */
  readonly isImmutable?: boolean | undefined;
}

export interface StoreOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Bytes that come one chunk after the other. Their number is known before, so that a bucket takes them in one request. */
export interface ObjectStream {
  /** Bytes of all chunks. */
  readonly size: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * A flat set of named objects, as a folder or a bucket holds them. There is no renaming, appending or locking. Failures
 * are StorageErrors, also INVALID_KEY for what `isObjectKey` refuses.
 */
export interface ObjectStore {
  /** The object of a key, which need not exist yet. */
  source(key: string, options?: ObjectSourceOptions): ByteSource;
  /**
   * Writes an object in place of one that may be there. Others see the old one, or none, until all of the new one is
   * stored; where this fails they go on to. Of two that write the same key, one wins. Streams are not buffered; fails with
   * INVALID_CONTENT where one has not as many bytes as it says, and with what its chunks throw.
   */
  put(key: string, content: Uint8Array | ObjectStream, options?: StoreOptions): Promise<void>;
  /**
   * The keys that begin with `prefix`, in no certain order: those of all objects that `source` reads, and no others. Those
   * that come or go meanwhile may be among them or not.
   */
  list(prefix: string, options?: StoreOptions): AsyncIterable<string>;
  /** Removes an object. One that is not there is no failure. */
  delete(key: string, options?: StoreOptions): Promise<void>;
}

/** Characters that a folder and a bucket take as they are. */
const SEGMENT = /^[A-Za-z0-9!%_-][A-Za-z0-9!%_.-]*$/;
/** Of a file's name on common file systems. */
const MAX_SEGMENT_LENGTH = 255;
/** Of a key of S3. */
const MAX_KEY_LENGTH = 1024;

/**
 * Whether `key` can be that of an object: names of at most 255 letters, digits and `! % _ . -`, of which none begins with
 * a point, with `/` between them; at most 1,024 characters.
 */
export function isObjectKey(key: string): boolean {
  if (key.length > MAX_KEY_LENGTH) return false;
  return key.split('/').every((segment) => segment.length <= MAX_SEGMENT_LENGTH && SEGMENT.test(segment));
}

/** Throws INVALID_KEY for what `isObjectKey` refuses. */
export function checkObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new StorageError('INVALID_KEY', 'the key cannot be that of an object', { key });
}

/** Throws INVALID_CONTENT unless a stream had as many bytes as it said. */
export function checkContentSize(found: number, { size }: ObjectStream, key: string): void {
  if (found === size) return;
  throw new StorageError('INVALID_CONTENT', `expected ${size} bytes, found ${found}`, { key });
}
