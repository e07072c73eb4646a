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
      "TICKET_FORMATS",
      "UNPLACED",
      "dataUri",
      "drsServiceInfo",
      "htsgetMediaType",
      "htsgetServiceInfo",
      "negotiateAuthority",
      "negotiateMediaType",
      "negotiateRefgetFormat",
      "parseHtsgetGet",
      "parseHtsgetPost",
      "parseSubsequence",
      "refgetJsonMediaType",
      "refgetServiceInfo",
      "refgetTextMediaType",
      "seqcolServiceInfo",
      "toHtsgetErrorBody",
      "toRefgetErrorBody",
    ]
  `);
});
