import { inflateBlocks } from '@htskit/bgzf';
import { BamRecordFilter, bamRecordLength, FastaParser, parseBamHeader } from '@htskit/formats';
import { concat, equal } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

const { header, references, recordCount, regions } = expected['straddle.bam'];

/** The number of records in uncompressed BAM records. */
export function countRecords(data) {
  let count = 0;
  for (let at = 0; at < data.length; at += bamRecordLength(data, at)) count++;
  return count;
}

/** The number of records that a region of fixtures/expected lists. */
export function countExpected({ records }) {
  return records.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

export const checks = {
  'reads the header and the records of a BAM': () => {
    const data = inflateBlocks(files['straddle.bam']);
    const found = parseBamHeader(data);
    equal(found.text, header);
    equal(
      found.references.map(({ name, length }) => [name, length]),
      references.map(({ name, length }) => [name, length]),
    );
    equal(countRecords(data.subarray(found.byteLength)), recordCount);
  },
  'keeps the records of a region': () => {
    const data = inflateBlocks(files['straddle.bam']);
    const body = data.subarray(parseBamHeader(data).byteLength);
    for (const region of regions.filter(({ end }) => typeof end === 'number')) {
      const referenceId = references.findIndex(({ name }) => name === region.referenceName);
      const filter = new BamRecordFilter([{ referenceId, start: region.start, end: region.end }]);
      const kept = [];
      for (let at = 0; at < body.length; at += 5_003) kept.push(...filter.push(body.subarray(at, at + 5_003)));
      filter.finish();
      equal(countRecords(concat(kept)), countExpected(region));
    }
  },
  'reads a FASTA': () => {
    const names = [];
    const parser = new FastaParser({ onRecord: (name) => names.push(name), onSequence: () => undefined });
    parser.push(inflateBlocks(files['genome.fa.gz']));
    parser.finish();
    equal(
      names,
      expected['genome.fa.gz'].sequences.map(({ name }) => name),
    );
  },
};
