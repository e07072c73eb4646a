import { inflateBlocks } from '@htskit/bgzf';
import {
  AlignmentRecord,
  BcfVariantRecord,
  createBamFilter,
  createBamRewriter,
  createBamToSam,
  createBcfFilter,
  createBcfRewriter,
  createBcfToVcf,
  createCramDecoder,
  createSamToBam,
  createVcfFilter,
  createVcfRewriter,
  createVcfToBcf,
  FastaParser,
  parseBamHeader,
  parseCramContainerHeader,
  parseCramHeader,
  VariantHeader,
} from '@htskit/formats';
import {
  bamRecordLength,
  CRAM_FILE_DEFINITION_LENGTH,
  cramEofContainer,
  isCramEofContainer,
  parseCramFileDefinition,
  parseTwoBitHeader,
  parseTwoBitIndex,
  parseTwoBitRecord,
  parseVcfRecordSpan,
  TWO_BIT_HEADER_LENGTH,
  twoBitByteRange,
  unpackTwoBit,
} from '@htskit/formats/internal';
import { concat, equal, equalBytes, failsWith } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { countExpected, countRecords, readRecords } from '../records.mjs';
import { TWO_BIT } from '../two-bit.mjs';

const { header, references } = expected['straddle.bam'];
const VARIANTS = { VCF: 'variants.vcf.gz', BCF: 'variants.bcf' };

/** Returns the output of a filter or a rewriter for records in pieces that are cut anywhere. */
function passed(body, through) {
  const kept = [];
  for (let at = 0; at < body.length; at += 5_003)
    kept.push(...through.push(body.subarray(at, at + 5_003)).map((part) => part.slice()));
  through.finish();
  return concat(kept);
}

export const checks = {
  'reads the header and the records of BAM, VCF and BCF': () => {
    for (const [format, name] of Object.entries({ BAM: 'straddle.bam', ...VARIANTS })) {
      const found = readRecords(format, files[name]);
      equal(found.header.text.replaceAll(/,IDX=\d+/g, ''), expected[name].header);
      equal(found.count, expected[name].recordCount);
    }
    const found = parseBamHeader(inflateBlocks(files['straddle.bam']));
    equal(found.text, header);
    equal(
      found.references.map(({ name, length }) => [name, length]),
      references.map(({ name, length }) => [name, length]),
    );
  },
  'reads alignment records, and converts them to SAM and back': () => {
    const { body, header: found } = readRecords('BAM', files['straddle.bam']);
    const sam = passed(body, createBamToSam(found));
    equalBytes(passed(passed(sam, createSamToBam(found)), createBamToSam(found)), sam);
    const record = new AlignmentRecord();
    const lines = [];
    for (let at = 0; at < body.length; at = record.byteEnd) lines.push(`${record.at(body, at).toSam(found)}\n`);
    equal(lines.join(''), new TextDecoder().decode(sam));
    equal(record.sequence.length, record.sequenceLength);
  },
  'reads variant records, and converts VCF to BCF and back': () => {
    const { body, header: found } = readRecords('VCF', files[VARIANTS.VCF]);
    const bcf = passed(body, createVcfToBcf(found));
    const vcf = passed(bcf, createBcfToVcf(found));
    equalBytes(passed(passed(vcf, createVcfToBcf(found)), createBcfToVcf(found)), vcf);
    const record = new BcfVariantRecord(new VariantHeader(found));
    const lines = [];
    for (let at = 0; at < bcf.length; at = record.byteEnd) lines.push(`${record.at(bcf, at).toVcf()}\n`);
    equal(lines.join(''), new TextDecoder().decode(vcf));
  },
  'keeps the records of a region of BAM': () => {
    const { body } = readRecords('BAM', files['straddle.bam']);
    for (const region of expected['straddle.bam'].regions.filter(({ end }) => typeof end === 'number')) {
      const referenceId = references.findIndex(({ name }) => name === region.referenceName);
      const filter = createBamFilter([{ referenceId, start: region.start, end: region.end }]);
      equal(countRecords('BAM', passed(body, filter)), countExpected(region));
    }
  },
  'keeps the records of a region of VCF and BCF': () => {
    for (const [format, name] of Object.entries(VARIANTS)) {
      const { body, header: found } = readRecords(format, files[name]);
      for (const region of expected[name].regions.slice(0, 20)) {
        const { referenceName, start, end } = region;
        const [referenceId] =
          format === 'BCF' ? [...found.contigs].find(([, contig]) => contig.name === referenceName) : [];
        const filter =
          format === 'VCF'
            ? createVcfFilter([{ referenceName, start, end }])
            : createBcfFilter([{ referenceId, start, end }]);
        equal(countRecords(format, passed(body, filter)), countExpected(region));
      }
    }
  },
  'rewrites records to the selected fields and drops none': () => {
    const selection = { tags: ['NM', 'DP', 'GT'] };
    for (const [format, name] of Object.entries({ BAM: 'straddle.bam', ...VARIANTS })) {
      const { body, header: found, count } = readRecords(format, files[name]);
      const rewriter = {
        BAM: () => createBamRewriter(selection),
        VCF: () => createVcfRewriter(selection),
        BCF: () => createBcfRewriter(selection, found.strings),
      }[format]();
      const rewritten = passed(body, rewriter);
      equal([countRecords(format, rewritten), rewritten.length < body.length], [count, true]);
    }
  },
  'reads how far a line of VCF reaches': () => {
    const line = new TextEncoder().encode('chr1\t11\t.\tACGT\t<DEL>\t.\t.\tEND=40\n');
    const { nameLength, baseStart, baseEnd } = parseVcfRecordSpan(line);
    equal([nameLength, baseStart, baseEnd], [4, 10, 40]);
  },
  'walks the containers of a CRAM to its end': () => {
    const cram = files['multiref.cram'];
    const { version } = parseCramFileDefinition(cram);
    equal(parseCramHeader(cram).references.length > 1, true);
    let count = 0;
    let last;
    for (let at = CRAM_FILE_DEFINITION_LENGTH; at < cram.length; count++) {
      const container = parseCramContainerHeader(cram.subarray(at), { version });
      last = container;
      at += container.headerLength + container.length;
    }
    equal([count > 2, isCramEofContainer(last)], [true, true]);
    equalBytes(cram.subarray(-cramEofContainer(version).length), cramEofContainer(version));
  },
  'decodes the records of CRAM 2.1, 3.0 and 3.1': async () => {
    for (const name of ['v21.cram', 'multiref.cram', 'v31.cram']) {
      const header = parseCramHeader(files[name]);
      const decoder = createCramDecoder({ header });
      let count = 0;
      let expectedCount = 0;
      for (let at = header.byteLength; at < files[name].length; ) {
        const container = parseCramContainerHeader(files[name].subarray(at), { version: header.version });
        at += container.headerLength;
        const blocks = files[name].subarray(at, at + container.length);
        for await (const records of decoder.decode(blocks, { header: container }))
          count += countRecords('BAM', records);
        expectedCount += container.recordCount;
        at += container.length;
      }
      equal([count > 1_000, count], [true, expectedCount]);
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
  'reads the bases of a 2bit file': () => {
    const found = parseTwoBitHeader(TWO_BIT);
    const [{ name, offset }] = parseTwoBitIndex(TWO_BIT.subarray(TWO_BIT_HEADER_LENGTH), found);
    const record = parseTwoBitRecord(TWO_BIT.subarray(offset), { header: found, offset, fileSize: TWO_BIT.length });
    const interval = { start: 1, end: record.length };
    const { start, end } = twoBitByteRange(record, interval);
    equal(
      [name, new TextDecoder().decode(unpackTwoBit(TWO_BIT.subarray(start, end), record, interval))],
      ['a', 'CGTNNAC'],
    );
  },
  'refuses damaged bytes': async () => {
    const { body } = readRecords('BAM', files['straddle.bam']);
    const damaged = body.slice(0, 1_000);
    damaged.set([1, 0, 0, 0], 0);
    await failsWith('INVALID_DATA', () => bamRecordLength(damaged, 0));
    await failsWith('INVALID_MAGIC', () => parseCramFileDefinition(new Uint8Array(26)));
    await failsWith('TRUNCATED', () => parseTwoBitHeader(TWO_BIT.subarray(0, 10)));
  },
};
