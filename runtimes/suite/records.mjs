import { inflateBlocks } from '@htskit/bgzf';
import { parseBamHeader, parseBcfHeader, parseVcfHeader } from '@htskit/formats';
import { bamRecordLength, bcfRecordLength } from '@htskit/formats/internal';

const PARSERS = {
  BAM: { parseHeader: parseBamHeader, recordLength: bamRecordLength },
  VCF: { parseHeader: parseVcfHeader, recordLength: (data, at) => data.indexOf(0x0a, at) + 1 - at },
  BCF: { parseHeader: parseBcfHeader, recordLength: bcfRecordLength },
};

/** Returns the header of a file, its uncompressed bytes after the header, and the number of records. */
export function readRecords(format, file) {
  const data = inflateBlocks(file);
  const header = PARSERS[format].parseHeader(data);
  const body = data.subarray(header.byteLength);
  return { header, body, count: countRecords(format, body) };
}

/** Returns the number of uncompressed records. */
export function countRecords(format, body) {
  const { recordLength } = PARSERS[format];
  let count = 0;
  for (let at = 0; at < body.length; at += recordLength(body, at)) count++;
  return count;
}

/** Returns the number of records that fixtures/expected lists for a region. */
export function countExpected({ records }) {
  return records.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
