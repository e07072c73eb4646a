import { expect, test } from 'vitest';
import * as api from '../src/index.js';
import * as internal from '../src/internal.js';

test('exports', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "DEFAULT_LIMITS",
      "DeliveryWorkers",
      "FileLoader",
      "HtsgetError",
      "createHtsgetHandler",
      "createPlainHtsgetHandler",
      "planFile",
      "streamPlan",
    ]
  `);
});

test('exports of the internal entry point', () => {
  expect(Object.keys(internal).sort()).toMatchInlineSnapshot(`
    [
      "AccessRecorder",
      "Hooks",
      "asBinning",
      "availableFormats",
      "cacheKey",
      "checkAnswerable",
      "checkPermission",
      "checkPlainDelivery",
      "coveragePathOf",
      "errorResponse",
      "formatAllow",
      "isDeliveredPlain",
      "methodNotAllowed",
      "parseHtsgetPath",
      "peekBlockClaim",
      "peekBlockToken",
      "permitsSample",
      "readBgzfFile",
      "readCramFile",
      "restrictRegions",
      "toHtsgetError",
      "toTransientError",
    ]
  `);
});
