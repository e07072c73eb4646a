import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "AUTHORITIES",
      "DEFAULT_AUTHORITY",
      "FIELD_NAMES",
      "FORMATS",
      "HtsgetError",
      "RefgetError",
      "RequestBodyError",
      "UNPLACED",
      "corsHeaders",
      "dataUri",
      "htsgetMediaType",
      "htsgetServiceInfo",
      "matchesIfNoneMatch",
      "ifRangeMatches",
      "negotiateAuthority",
      "negotiateMediaType",
      "negotiateRefgetFormat",
      "onAbort",
      "parseAccept",
      "parseHtsgetGet",
      "parseHtsgetPost",
      "parseRangeHeader",
      "parseRetryAfter",
      "parseSubsequence",
      "preflightHeaders",
      "readJsonBody",
      "refgetJsonMediaType",
      "refgetServiceInfo",
      "refgetTextMediaType",
      "seqcolServiceInfo",
      "toAsciiJson",
      "toContentRange",
      "toErrorBody",
      "toRefgetErrorBody",
      "toResponse",
    ]
  `);
});
