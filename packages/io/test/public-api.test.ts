import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CHUNK_BYTES",
      "LruCache",
      "StorageError",
      "checkContentSize",
      "checkNotAborted",
      "checkObjectKey",
      "checkRange",
      "clipRange",
      "concatBytes",
      "fromBase64",
      "fromBase64Url",
      "fromHex",
      "isObjectKey",
      "onAbort",
      "readChunks",
      "startByteStream",
      "systemClock",
      "toAbortedError",
      "toBase64",
      "toBase64Url",
      "toByteStream",
      "toHex",
      "unlessAborted",
    ]
  `);
});
