import { expect, test } from 'vitest';
import * as formats from '../src/index.js';

test('the exports are these', () => {
  expect(Object.keys(formats).toSorted()).toMatchInlineSnapshot(`
    [
      "BamRecordFilter",
      "BamRecords",
      "FastaParser",
      "FormatError",
      "MAX_RECORD_LENGTH",
      "bamHeaderLength",
      "bamRecordLength",
      "bcfHeaderLength",
      "bcfRecordLength",
      "parseBamHeader",
      "parseBamRecordSpan",
      "parseBcfHeader",
      "parseBcfRecordSpan",
      "parseContigLine",
      "parseVcfRecordSpan",
    ]
  `);
});
