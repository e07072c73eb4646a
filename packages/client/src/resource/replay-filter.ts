import { createMd5, type Hasher } from '@htskit/digest';
import type { Transport } from '@htskit/http';
import { toHex } from '@htskit/io';

/** The bytes of a resource that were delivered, from its first byte. */
export interface DeliveredBytes {
  readonly length: number;
  /** Their MD5, if only the bytes themselves can show that others are the same. */
  readonly md5: string | undefined;
}

/**
 * Follows the body of a resource from its first byte: skips the bytes that were delivered before, and computes the MD5 of
 * all. Throws CHANGED if the skipped bytes differ.
 */
export class ReplayFilter {
  readonly #delivered: DeliveredBytes;
  readonly #transport: Transport;
  /** Hashes the skipped bytes. Undefined once they are proven, or need not be. */
  #skipped: Hasher | undefined;
  readonly #all: Hasher = createMd5();
  #position = 0;

  constructor(delivered: DeliveredBytes, transport: Transport) {
    this.#delivered = delivered;
    this.#transport = transport;
    this.#skipped = delivered.md5 === undefined ? undefined : createMd5();
  }

  /** Whether delivered bytes are still to come. */
  get isSkipping(): boolean {
    return this.#position < this.#delivered.length;
  }

  /** Returns the part of the next chunk that was not delivered yet, which may be empty. */
  rest(chunk: Uint8Array): Uint8Array {
    const knownLength = Math.min(chunk.length, Math.max(0, this.#delivered.length - this.#position));
    this.#position += chunk.length;
    this.#skipped?.update(chunk.subarray(0, knownLength));
    this.#all.update(chunk);
    if (!this.isSkipping) this.#prove();
    return knownLength === 0 ? chunk : chunk.subarray(knownLength);
  }

  /** Returns the bytes that were delivered by now. Called once, last. */
  finish(): DeliveredBytes {
    return this.isSkipping ? this.#delivered : { length: this.#position, md5: toHex(this.#all.digest()) };
  }

  #prove(): void {
    const md5 = this.#skipped?.digest();
    this.#skipped = undefined;
    if (md5 === undefined || toHex(md5) === this.#delivered.md5) return;
    const message = 'the restarted response begins with other bytes';
    throw this.#transport.createError({ code: 'CHANGED', message });
  }
}
