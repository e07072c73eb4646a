import { expect, test } from 'vitest';
import * as formats from '../src/index.js';

test('the exports are these', () => {
  expect(Object.keys(formats).toSorted()).toMatchInlineSnapshot(`
    [
      "BamRecordFilter",
      "BamRecords",
      "BcfRecordFilter",
      "BcfRecords",
      "CRAM_FILE_DEFINITION_LENGTH",
      "CramDecodeBudget",
      "FastaParser",
      "FormatError",
      "MAX_RECORD_LENGTH",
      "TWO_BIT_HEADER_LENGTH",
      "TWO_BIT_RECORD_START_LENGTH",
      "VcfRecordFilter",
      "bamHeaderLength",
      "bamRecordLength",
      "bcfHeaderLength",
      "bcfRecordLength",
      "cramEofContainer",
      "cramHeaderLength",
      "isCramEofContainer",
      "parseBamHeader",
      "parseBamRecordSpan",
      "parseBcfHeader",
      "parseBcfRecordSpan",
      "parseContigLine",
      "parseCramContainerHeader",
      "parseCramFileDefinition",
      "parseCramHeader",
      "parseCramSliceSpans",
      "parseTwoBitHeader",
      "parseTwoBitIndex",
      "parseTwoBitRecord",
      "parseVcfHeader",
      "parseVcfRecordSpan",
      "relocateError",
      "twoBitByteRange",
      "twoBitIndexBounds",
      "twoBitRecordLength",
      "unpackTwoBit",
      "vcfHeaderLength",
    ]
  `);
});
