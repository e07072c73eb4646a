import { concatBytes } from '@htskit/io';
import type { DigestCache } from '../src/digest-cache.js';

/** Saves in memory and counts. */
export class MemoryCache implements DigestCache {
  saved: Uint8Array | undefined;
  saves = 0;
  readonly errors: Error[] = [];

  async load(): Promise<Uint8Array | undefined> {
    return this.saved;
  }

  async save(chunks: Iterable<Uint8Array>): Promise<void> {
    this.saved = concatBytes([...chunks]);
    this.saves += 1;
  }

  onError(error: Error): void {
    this.errors.push(error);
  }
}
