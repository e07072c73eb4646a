/**
 * The kinds of failures:
 *
 * - `LIMIT_EXCEEDED`: one account alone needs more than the budget.
 * - `EXHAUSTED`: other accounts hold too much at the moment.
 */
export type MemoryErrorCode = 'LIMIT_EXCEEDED' | 'EXHAUSTED';

/** Thrown if a buffer would grow beyond the memory budget. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';
  readonly code: MemoryErrorCode;

  constructor(code: MemoryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The counters of an account: plain data, so that it can be posted to a worker. */
export interface MemoryShare {
  readonly maxBytes: number;
  /** Bytes that all accounts of the budget hold. */
  readonly used: ArrayBufferLike;
  /** Bytes that this account holds. */
  readonly held: ArrayBufferLike;
}

/** Smaller buffers are not counted: every request has some of them. */
const FREE_BYTES = 2 ** 20;

/**
 * Bounds the memory that growing buffers hold together, on all threads. Each request opens an account, whose buffers reserve
 * memory before they grow. Without `SharedArrayBuffer`, as in some browsers, each thread counts alone.
 *
 * @example
 * const budget = new MemoryBudget(256 * 1024 * 1024);
 * const account = budget.open();
 * try {
 *   account.reserve(64 * 1024 * 1024);
 * } finally {
 *   account.close();
 * }
 */
export class MemoryBudget {
  readonly maxBytes: number;
  readonly #used = createCounter();

  /** Throws RangeError unless `maxBytes` is a positive number. */
  constructor(maxBytes: number) {
    if (!(maxBytes > 0)) throw new RangeError(`maxBytes must be positive, found ${maxBytes}`);
    this.maxBytes = maxBytes;
  }

  /** Bytes that all accounts hold. */
  get usedBytes(): number {
    return readCounter(this.#used);
  }

  /** Opens an account that holds nothing. */
  open(): MemoryAccount {
    return new MemoryAccount({ maxBytes: this.maxBytes, used: this.#used, held: createCounter() });
  }
}

/** The memory that the buffers of one request hold. Several threads may use one account. */
export class MemoryAccount {
  readonly share: MemoryShare;
  readonly #used: BigInt64Array;
  readonly #held: BigInt64Array;
  readonly #isPart: boolean;
  /** Bytes that were reserved here and not released. */
  #reserved = 0;

  constructor(share: MemoryShare, { isPart = false }: { readonly isPart?: boolean } = {}) {
    this.share = share;
    this.#isPart = isPart;
    this.#used = new BigInt64Array(share.used);
    this.#held = new BigInt64Array(share.held);
  }

  /** Opens a part of the account: closing it releases what was reserved through it. */
  openPart(): MemoryAccount {
    return new MemoryAccount(this.share, { isPart: true });
  }

  /** Reserves memory before it is allocated. Throws `MemoryError` if the budget lacks it; the account is then as before. */
  reserve(byteLength: number): void {
    if (byteLength <= FREE_BYTES) return;
    this.#add(byteLength);
    const { maxBytes } = this.share;
    const used = readCounter(this.share.used);
    if (used <= maxBytes) return;
    const held = readCounter(this.share.held);
    this.#add(-byteLength);
    if (held > maxBytes) {
      throw new MemoryError('LIMIT_EXCEEDED', `${held} bytes are over the memory budget of ${maxBytes}`);
    }
    throw new MemoryError('EXHAUSTED', `the memory budget of ${maxBytes} bytes is used up`);
  }

  /** Releases memory that was reserved by a call with the same length. */
  release(byteLength: number): void {
    if (byteLength > FREE_BYTES) this.#add(-byteLength);
  }

  /** Releases all that the account holds, also what a worker that has died had reserved. */
  close(): void {
    this.#add(-(this.#isPart ? this.#reserved : readCounter(this.share.held)));
  }

  #add(byteLength: number): void {
    this.#reserved += byteLength;
    Atomics.add(this.#used, 0, BigInt(byteLength));
    Atomics.add(this.#held, 0, BigInt(byteLength));
  }
}

/** Options of `growBytes`. */
export interface GrowOptions {
  /** Bytes at the start that are kept. */
  readonly keptBytes: number;
  /** Bytes that are needed. */
  readonly byteLength: number;
  /** The maximum number of bytes that will ever be needed: the last growth is not beyond it. Default: no limit. */
  readonly maxBytes?: number;
  /** Reserves the grown memory, and releases the old. Default: memory is not counted. */
  readonly memory?: MemoryAccount;
}

/** Returns memory twice as long or as long as needed, with the same start. Throws `MemoryError` before it is allocated. */
export function growBytes(
  bytes: Uint8Array<ArrayBuffer>,
  { keptBytes, byteLength, maxBytes = Number.POSITIVE_INFINITY, memory }: GrowOptions,
): Uint8Array<ArrayBuffer> {
  // Views of longer elements cover memory whose length is a multiple of theirs.
  const size = Math.ceil(Math.max(byteLength, Math.min(2 * bytes.length, maxBytes)) / 8) * 8;
  memory?.reserve(size);
  const grown = new Uint8Array(size);
  grown.set(bytes.subarray(0, keptBytes));
  memory?.release(bytes.length);
  return grown;
}

function createCounter(): ArrayBufferLike {
  return new (globalThis.SharedArrayBuffer ?? ArrayBuffer)(BigInt64Array.BYTES_PER_ELEMENT);
}

function readCounter(counter: ArrayBufferLike): number {
  return Number(Atomics.load(new BigInt64Array(counter), 0));
}
