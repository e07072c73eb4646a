import { inflateBlocks } from '@htskit/bgzf';
import { bamRecordLength, bcfRecordLength, parseBamHeader, parseBcfHeader, parseVcfHeader } from '@htskit/formats';

const PARSERS = {
  BAM: { parseHeader: parseBamHeader, recordLength: bamRecordLength },
  VCF: { parseHeader: parseVcfHeader, recordLength: (data, at) => data.indexOf(0x0a, at) + 1 - at },
  BCF: { parseHeader: parseBcfHeader, recordLength: bcfRecordLength },
};

/** The header of a file, its uncompressed bytes behind the header, and how many records these are. */
export function readRecords(format, file) {
  const data = inflateBlocks(file);
  const header = PARSERS[format].parseHeader(data);
  const body = data.subarray(header.byteLength);
  return { header, body, count: countRecords(format, body) };
}

/** The number of uncompressed records. */
export function countRecords(format, body) {
  const { recordLength } = PARSERS[format];
  let count = 0;
  for (let at = 0; at < body.length; at += recordLength(body, at)) count++;
  return count;
}

/** The number of records that a region of fixtures/expected lists. */
export function countExpected({ records }) {
  return records.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
