import * as api from '@htskit/refget';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "createCatalogue",
      "createRefgetHandler",
      "planSubsequence",
    ]
  `);
});
