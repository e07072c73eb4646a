import { expect, test } from 'vitest';
import * as formats from '../src/index.js';
import * as internal from '../src/internal.js';

test('the public entry point exports these names', () => {
  expect(Object.keys(formats).toSorted()).toMatchInlineSnapshot(`
    [
      "BamHeaderReader",
      "CRAM_FILE_DEFINITION_LENGTH",
      "FastaParser",
      "FormatError",
      "NameTable",
      "TWO_BIT_HEADER_LENGTH",
      "bamHeaderLength",
      "bamRecordLength",
      "bcfHeaderLength",
      "bcfRecordLength",
      "cramEofContainer",
      "cramHeaderLength",
      "createBamFilter",
      "createBamRewriter",
      "createBcfFilter",
      "createBcfRewriter",
      "createVcfFilter",
      "createVcfRewriter",
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
      "parseTwoBitHeader",
      "parseTwoBitIndex",
      "parseTwoBitRecord",
      "parseVcfHeader",
      "parseVcfRecordSpan",
      "twoBitByteRange",
      "twoBitIndexBounds",
      "twoBitRecordLength",
      "unpackTwoBit",
      "vcfHeaderLength",
    ]
  `);
});

test('the internal entry point exports these names', () => {
  expect(Object.keys(internal).toSorted()).toMatchInlineSnapshot(`
    [
      "BamRecords",
      "BcfRecords",
      "CramDecodeBudget",
      "TWO_BIT_RECORD_START_LENGTH",
      "relocateError",
    ]
  `);
});
