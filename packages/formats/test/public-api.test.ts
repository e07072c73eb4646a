import { expect, test } from 'vitest';
import * as formats from '../src/index.js';
import * as internal from '../src/internal.js';

test('the public entry point exports these names', () => {
  expect(Object.keys(formats).toSorted()).toMatchInlineSnapshot(`
    [
      "AlignmentRecord",
      "BamHeaderReader",
      "BcfVariantRecord",
      "CRAM_FILE_DEFINITION_LENGTH",
      "FastaParser",
      "FormatError",
      "NameTable",
      "TWO_BIT_HEADER_LENGTH",
      "VariantHeader",
      "VcfHeaderReader",
      "VcfVariantRecord",
      "bamHeaderLength",
      "bamRecordLength",
      "bcfHeaderLength",
      "bcfLengthKeys",
      "bcfRecordLength",
      "cramEofContainer",
      "cramHeaderLength",
      "createBamFilter",
      "createBamRewriter",
      "createBamToSam",
      "createBcfFilter",
      "createBcfRewriter",
      "createBcfToVcf",
      "createCramDecoder",
      "createSamToBam",
      "createVcfFilter",
      "createVcfRewriter",
      "createVcfToBcf",
      "encodeBamHeader",
      "hasAlleleLengths",
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
      "parseSamHeader",
      "parseTwoBitHeader",
      "parseTwoBitIndex",
      "parseTwoBitRecord",
      "parseVcfHeader",
      "parseVcfRecordSpan",
      "samHeaderLength",
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
