import { gunzipSync } from 'node:zlib';
import { BgzfError } from '../bgzf-error.js';

/** Returns the data of all members. Throws LIMIT_EXCEEDED if it is longer than `maxBytes`, and INVALID_DATA. */
export function inflateGzip(bytes: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  try {
    // A limit of 0 would disable the check.
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: Math.max(1, maxBytes) }));
  } catch (cause) {
    if (cause instanceof RangeError) {
      const message = `the uncompressed data is longer than ${maxBytes} bytes`;
      throw new BgzfError('LIMIT_EXCEEDED', message, { offset: 0, cause });
    }
    throw new BgzfError('INVALID_DATA', 'the gzip data is corrupt or incomplete', { offset: 0, cause });
  }
}
