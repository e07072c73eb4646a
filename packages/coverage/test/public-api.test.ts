import { expect, test } from 'vitest';
import * as coverage from '../src/index.js';

test('the public entry point exports these names', () => {
  expect(Object.keys(coverage).toSorted()).toMatchInlineSnapshot(`
    [
      "DEFAULT_EXCLUDE_FLAGS",
      "DepthAccumulator",
      "density",
      "depth",
      "depthIntervals",
      "estimateDepth",
      "readDepth",
    ]
  `);
});
