import { StorageError } from '@htskit/io';

/** Longest key, in bytes of UTF-8 (Amazon S3 User Guide, "Naming Amazon S3 objects", and the limits of R2). */
const MAX_KEY_BYTES = 1024;

/**
 * Returns whether a store in a bucket holds a key: at most 1,024 bytes of any characters but NUL and unpaired surrogates, made of
 * segments separated by `/`, none of which is empty, `.` or `..`.
 */
export function isBucketKey(key: string): boolean {
  if (/\0|\p{Surrogate}/u.test(key) || new TextEncoder().encode(key).length > MAX_KEY_BYTES) return false;
  return key.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** Throws `StorageError` INVALID_KEY if `isBucketKey` refuses the key. */
export function checkBucketKey(key: string): void {
  if (!isBucketKey(key)) throw new StorageError('INVALID_KEY', 'not a valid key of a bucket', { key });
}
