import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CHUNK_BYTES",
      "LruCache",
      "MemoryAccount",
      "MemoryBudget",
      "MemoryError",
      "StorageError",
      "TurnScheduler",
      "checkContentSize",
      "checkNotAborted",
      "checkObjectKey",
      "checkRange",
      "clipRange",
      "concatBytes",
      "fromBase64",
      "fromBase64Url",
      "fromHex",
      "growBytes",
      "isObjectKey",
      "loopTurns",
      "onAbort",
      "readChunks",
      "startByteStream",
      "startTimer",
      "systemClock",
      "toAbortedError",
      "toBase64",
      "toBase64Url",
      "toByteStream",
      "toHex",
      "unlessAborted",
      "yieldToEventLoop",
    ]
  `);
});
