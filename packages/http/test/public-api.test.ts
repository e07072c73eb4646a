import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "HttpError",
      "cancelBody",
      "corsHeaders",
      "createTransport",
      "discardBody",
      "ifRangeMatches",
      "matchesIfNoneMatch",
      "parsePartialContent",
      "parseRangeHeader",
      "preflightHeaders",
      "readBody",
      "readBytes",
      "readWithRetries",
      "sendRequest",
      "toContentRange",
      "toResponse",
      "toServerError",
      "withDataHeaders",
      "withRetries",
    ]
  `);
});
