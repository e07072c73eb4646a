import type { FormatError } from '../../format-error.js';
import type { ArrayReader, ValueReader } from './series-reader.js';

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
  const { read } = createFailingReader(createError);
  return { read, skip: read, bytes: new Uint8Array(0), start: 0 };
}
