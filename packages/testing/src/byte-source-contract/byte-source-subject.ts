import { createRandom } from '../random.js';

interface ContractReadOptions {
  readonly signal?: AbortSignal;
  readonly version?: string;
  readonly into?: Uint8Array;
  readonly isBorrowed?: boolean;
}

/** The `ByteSource` of @htskit/io, by its structure. */
export interface ContractSource {
  readonly key: string;
  stat(options?: { readonly signal?: AbortSignal }): Promise<{ readonly size: number; readonly version?: string }>;
  read(range: { readonly start: number; readonly end: number }, options?: ContractReadOptions): Promise<Uint8Array>;
  stream(
    range: { readonly start: number; readonly end: number },
    options?: ContractReadOptions,
  ): ReadableStream<Uint8Array>;
  close?(): Promise<void>;
}

/** The source that the contract suite tests. */
export interface ContractSubject {
  readonly source: ContractSource;
  /** A source of the same backend whose object does not exist. */
  readonly missing?: ContractSource;
  /** Replaces the object with another one of the same length, as a writer would. */
  readonly replace?: (bytes: Uint8Array) => Promise<void>;
  /** Returns the number of bytes that the backend has read so far, which shows back-pressure and cancellation. */
  readonly bytesRead?: () => number;
  /** Releases the resources of the subject. */
  readonly dispose?: () => Promise<void>;
}

/** The bytes of the object under test: over a megabyte, of an odd length, without repeated parts. */
export const objectBytes: Uint8Array = createObjectBytes(1_300_003);

function createObjectBytes(length: number): Uint8Array {
  const random = createRandom(1);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

/** Returns the `code` of the error that a call throws, or undefined if it succeeds. */
export async function failureCode(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code;
    throw error;
  }
}
