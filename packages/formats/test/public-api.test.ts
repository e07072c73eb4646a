import { expect, test } from 'vitest';
import * as formats from '../src/index.js';

test('the exports are these', () => {
  expect(Object.keys(formats).toSorted()).toMatchInlineSnapshot(`
    [
      "BamRecordFilter",
      "BamRecordRewriter",
      "BamRecords",
      "BcfRecordFilter",
      "BcfRecordRewriter",
      "BcfRecords",
      "CRAM_FILE_DEFINITION_LENGTH",
      "CramDecodeBudget",
      "FastaParser",
      "FormatError",
      "MAX_RECORD_LENGTH",
      "VcfRecordFilter",
      "VcfRecordRewriter",
      "bamHeaderLength",
      "bamRecordLength",
      "bcfHeaderLength",
      "bcfRecordLength",
      "cramEofContainer",
      "cramHeaderLength",
      "isCramEofContainer",
      "keepsAllKeys",
      "keepsWholeBamRecords",
      "parseBamHeader",
      "parseBamRecordSpan",
      "parseBcfHeader",
      "parseBcfRecordSpan",
      "parseContigLine",
      "parseCramContainerHeader",
      "parseCramFileDefinition",
      "parseCramHeader",
      "parseCramSliceSpans",
      "parseVcfHeader",
      "parseVcfRecordSpan",
      "relocateError",
      "vcfHeaderLength",
    ]
  `);
});
