import { expect, test } from 'vitest';
import * as api from '../src/index.js';
import * as internal from '../src/internal.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CHUNK_BYTES",
      "LruCache",
      "MemoryBudget",
      "MemoryError",
      "StorageError",
      "checkContentSize",
      "checkNotAborted",
      "checkObjectKey",
      "checkRange",
      "clipRange",
      "concatBytes",
      "decodeText",
      "encodeText",
      "fromBase64",
      "fromBase64Url",
      "fromHex",
      "isObjectKey",
      "peek",
      "readChunks",
      "systemClock",
      "toBase64",
      "toBase64Url",
      "toByteStream",
      "toHex",
      "toOwned",
      "toOwnedChunks",
    ]
  `);
});

test('the internal entry point exports these names', () => {
  expect(Object.keys(internal).toSorted()).toMatchInlineSnapshot(`
    [
      "ENCRYPTED_EXTENSION",
      "GrowingBytes",
      "MemoryAccount",
      "TimeSlice",
      "TurnScheduler",
      "characterStart",
      "checkReplaced",
      "collectChunks",
      "companionPathOf",
      "decodeAscii",
      "decodePercents",
      "encodePercents",
      "finishSteps",
      "firstIndex",
      "growBytes",
      "isEncryptedPath",
      "loopTurns",
      "mapInOrder",
      "onAbort",
      "plainPathOf",
      "readFromStart",
      "sliceChunks",
      "startBackgroundTimer",
      "startByteStream",
      "startTimer",
      "toAbortedError",
      "unlessAborted",
      "unlessMissing",
      "writeBase64Url",
      "yieldToEventLoop",
    ]
  `);
});
