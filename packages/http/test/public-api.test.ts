import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "RequestBodyError",
      "corsHeaders",
      "ifRangeMatches",
      "matchesIfNoneMatch",
      "parseRangeHeader",
      "parseRetryAfter",
      "preflightHeaders",
      "readJsonBody",
      "stripPrefix",
      "toAsciiJson",
      "toContentRange",
      "toResponse",
    ]
  `);
});
