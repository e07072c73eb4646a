import { createMd5, type Hasher } from '@htskit/digest';
import type { Transport } from '../transport/transport.js';

/** What is known of the bytes of a resource that were given out. */
export interface GivenBytes {
  /** How many, from its first. */
  readonly length: number;
  /** Their MD5, where nothing but the bytes themselves can show that others are the same. */
  readonly md5: string | undefined;
}

/**
 * Follows the body of a resource from its first byte: skips what was given out before, and keeps the MD5 of all. Throws
 * CHANGED where what is skipped is something else.
 */
export class ReplayFilter {
  readonly #given: GivenBytes;
  readonly #transport: Transport;
  /** Of what is skipped; undefined once that is proven, or need not be. */
  #skipped: Hasher | undefined;
  readonly #all: Hasher = createMd5();
  #position = 0;

  constructor(given: GivenBytes, transport: Transport) {
    this.#given = given;
    this.#transport = transport;
    this.#skipped = given.md5 === undefined ? undefined : createMd5();
  }

  /** Whether bytes that were given out before are still to come. */
  get isSkipping(): boolean {
    return this.#position < this.#given.length;
  }

  /** The part of the next chunk that was not given out yet; it may be empty. */
  rest(chunk: Uint8Array): Uint8Array {
    const known = Math.min(chunk.length, Math.max(0, this.#given.length - this.#position));
    this.#position += chunk.length;
    this.#skipped?.update(chunk.subarray(0, known));
    this.#all.update(chunk);
    if (!this.isSkipping) this.#prove();
    return known === 0 ? chunk : chunk.subarray(known);
  }

  /** What was given out by now. Called once, last. */
  finish(): GivenBytes {
    return this.isSkipping ? this.#given : { length: this.#position, md5: toHex(this.#all.digest()) };
  }

  #prove(): void {
    const md5 = this.#skipped?.digest();
    this.#skipped = undefined;
    if (md5 === undefined || toHex(md5) === this.#given.md5) return;
    throw this.#transport.createError('CHANGED', 'what was started again begins with other bytes');
  }
}

/** In lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
