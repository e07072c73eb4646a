import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CHUNK_BYTES",
      "GrowingBytes",
      "LruCache",
      "MemoryAccount",
      "MemoryBudget",
      "MemoryError",
      "StorageError",
      "TimeSlice",
      "TurnScheduler",
      "checkContentSize",
      "checkNotAborted",
      "checkObjectKey",
      "checkRange",
      "clipRange",
      "concatBytes",
      "finishSteps",
      "fromBase64",
      "fromBase64Url",
      "fromHex",
      "growBytes",
      "isObjectKey",
      "loopTurns",
      "onAbort",
      "peek",
      "readChunks",
      "readFromStart",
      "startByteStream",
      "startTimer",
      "systemClock",
      "toAbortedError",
      "toBase64",
      "toBase64Url",
      "toByteStream",
      "toHex",
      "toOwned",
      "toOwnedChunks",
      "unlessAborted",
      "yieldToEventLoop",
    ]
  `);
});
