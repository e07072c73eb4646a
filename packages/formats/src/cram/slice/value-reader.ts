import type { FormatError } from '../../format-error.js';

/** Reads a data series of numbers. */
export interface ValueReader {
  read(): number;
  /** Skips `count` values. */
  skip(count: number): void;
  /** Reads `count` values into `target`, from index `at` on. */
  readInto(target: Uint8Array, at: number, count: number): void;
}

/** Reads a data series of byte arrays. */
export interface ArrayReader {
  /** Reads an array, and returns its length. It starts at `start` of `bytes`, until the next call. */
  read(): number;
  /** Skips an array, and returns its length. */
  skip(): number;
  readonly bytes: Uint8Array;
  /** A view of `bytes`. */
  readonly view: DataView;
  readonly start: number;
}

/** Creates a reader that fails when a value is read. Values that no record has need no encoding: reading 0 of them succeeds. */
export function createFailingReader(createError: () => FormatError): ValueReader {
  const fail = (count: number): void => {
    if (count > 0) throw createError();
  };
  return {
    read: () => {
      throw createError();
    },
    skip: fail,
    readInto: (_target, _at, count) => fail(count),
  };
}

/** Creates a reader that fails when an array is read. */
export function createFailingArrayReader(createError: () => FormatError): ArrayReader {
  const fail = (): never => {
    throw createError();
  };
  return { read: fail, skip: fail, bytes: new Uint8Array(0), view: new DataView(new ArrayBuffer(0)), start: 0 };
}
