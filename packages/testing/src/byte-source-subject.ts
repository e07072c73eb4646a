import { createRandom } from './random.js';

interface ContractReadOptions {
  readonly signal?: AbortSignal;
  readonly version?: string;
}

/** The ByteSource of @htskit/storage, by its structure. */
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

/** What the contract suite is given to test. */
export interface ContractSubject {
  readonly source: ContractSource;
  /** A source of the same backend whose object does not exist. */
  readonly missing?: ContractSource;
  /** Replaces the object by one of as many other bytes, as a writer would. */
  readonly replace?: (bytes: Uint8Array) => Promise<void>;
  /** How many bytes the backend has read so far: makes back-pressure and cancellation visible. */
  readonly bytesRead?: () => number;
  /** Frees what the subject holds. */
  readonly dispose?: () => Promise<void>;
}

/** The bytes of the object under test: more than a megabyte, of an odd length, and never the same at two places. */
export const objectBytes: Uint8Array = createObjectBytes(1_300_003);

function createObjectBytes(length: number): Uint8Array {
  const random = createRandom(1);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

/** The `code` of the Error that the call fails with; undefined if it succeeds. */
export async function failureCode(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code;
    throw error;
  }
}
