import { expect, test } from 'vitest';
import * as conform from '../src/index.js';

test('the public entry point exports these names', () => {
  expect(Object.keys(conform).toSorted()).toMatchInlineSnapshot(`
    [
      "Answer",
      "ConformError",
      "DRS_RULES",
      "HTSGET_RULES",
      "KEPT",
      "Probe",
      "REFGET_RULES",
      "SEQCOL_RULES",
      "broken",
      "conform",
      "countResults",
      "formatResult",
      "formatSummary",
      "inapplicable",
      "isConforming",
      "runSuite",
      "toJunitReport",
      "toTestbedReport",
    ]
  `);
});
