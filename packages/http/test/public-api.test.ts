import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "DATA_HEADERS",
      "HttpError",
      "RequestBodyError",
      "RetryState",
      "cancelBody",
      "contentLength",
      "corsHeaders",
      "createTransport",
      "discardBody",
      "ifRangeMatches",
      "isDowngrade",
      "isEncoded",
      "isHeaders",
      "isStrongEntityTag",
      "isTransientStatus",
      "matchesIfMatch",
      "matchesIfNoneMatch",
      "negotiateCoding",
      "parseHttpUrl",
      "parsePartialContent",
      "parseRangeHeader",
      "parseRetryAfter",
      "preflightHeaders",
      "prepareRequest",
      "queryParameters",
      "readBody",
      "readBytes",
      "readJsonBody",
      "readWithRetries",
      "sendRequest",
      "stripPrefix",
      "toAsciiJson",
      "toContentRange",
      "toResponse",
      "toServerError",
      "withDataHeaders",
      "withRetries",
    ]
  `);
});
