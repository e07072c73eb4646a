import { gunzip, inflateBlocks, inflateRange } from '@htskit/bgzf';
import { createBamFilter } from '@htskit/formats';
import {
  FaiBuilder,
  formatCrai,
  formatFai,
  gzipCrai,
  indexBam,
  indexBcf,
  indexCram,
  indexVcf,
  parseBinningIndex,
  parseCrai,
  parseTbi,
  readIndex,
} from '@htskit/indexes';
import { mergeChunks } from '@htskit/indexes/internal';
import { readChunks } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { equal, equalBytes, failsWith } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';
import { countExpected, countRecords } from '../records.mjs';

/** Counts the records of a region in the chunks that an index returns for it. */
async function countIndexed(source, index, interval) {
  const filter = createBamFilter([interval]);
  let count = 0;
  for (const chunk of index.chunks(interval)) {
    for await (const { data } of inflateRange(source, chunk)) {
      for (const records of filter.push(data)) count += countRecords('BAM', records);
    }
  }
  filter.finish();
  return count;
}

async function checkRegions(name, indexName) {
  const { references, regions } = expected[name];
  const index = await readIndex(memorySource(files[indexName]), parseBinningIndex);
  for (const region of regions.filter(({ end }) => typeof end === 'number')) {
    const referenceId = references.findIndex((reference) => reference.name === region.referenceName);
    const interval = { referenceId, start: region.start, end: region.end };
    equal(await countIndexed(memorySource(files[name]), index, interval), countExpected(region));
  }
}

function streamOf(name) {
  return readChunks(memorySource(files[name]).stream({ start: 0, end: files[name].length }));
}

export const checks = {
  'finds every record of a region by a BAI': () => checkRegions('straddle.bam', 'straddle.bam.bai'),
  'finds every record of a region by a CSI': () => checkRegions('longref.bam', 'longref.bam.csi'),
  'reads the statistics of a BAI': () => {
    const { references, unplacedCount } = expected['straddle.bam'];
    const bai = parseBinningIndex(files['straddle.bam.bai']);
    equal(bai.unplacedCount, unplacedCount);
    const { mapped, unmapped } = references[0];
    equal(bai.referenceStatistics(0), { mapped, unmapped });
  },
  'writes the BAI, the CSI, the TBI and the CRAI that samtools, bcftools and tabix wrote': async () => {
    equalBytes(inflatedOf(await indexBam(streamOf('longref.bam'))), inflatedOf(files['longref.bam.csi']));
    equalBytes(await indexBam(streamOf('straddle.bam')), files['straddle.bam.bai']);
    equalBytes(inflatedOf(await indexBcf(streamOf('variants.bcf'))), inflatedOf(files['variants.bcf.csi']));
    equalBytes(inflatedOf(await indexVcf(streamOf('variants.vcf.gz'))), inflatedOf(files['variants.vcf.gz.tbi']));
    equalBytes(gunzip(await indexCram(streamOf('multiref.cram'))), gunzip(files['multiref.cram.crai']));
  },
  'finds containers by a CRAI': () => {
    const crai = parseCrai(files['multiref.cram.crai']);
    const [first] = crai.slices();
    const { referenceId, alignmentStart, containerStart } = first;
    const [range] = crai.containers({ referenceId, start: alignmentStart - 1, end: alignmentStart });
    equal(range.start, containerStart);
  },
  'reads and writes CRAI, plain and compressed': async () => {
    const slices = [...parseCrai(files['multiref.cram.crai']).slices()];
    equal([...parseCrai(new TextEncoder().encode(formatCrai(slices))).slices()], slices);
    equal([...parseCrai(await gzipCrai(slices)).slices()], slices);
  },
  'reads the settings and the names of a TBI': () => {
    const { tabix } = parseTbi(files['variants.vcf.gz.tbi']);
    equal(tabix.preset, 'VCF');
    equal(tabix.names.slice(0, 2), ['chr1', 'chr2']);
  },
  'merges chunks that touch': () => {
    const at = (coffset) => ({ coffset, uoffset: 0 });
    const chunks = [
      { start: at(5), end: at(9) },
      { start: at(0), end: at(5) },
      { start: at(20), end: at(30) },
    ];
    equal(mergeChunks(chunks), [
      { start: at(0), end: at(9) },
      { start: at(20), end: at(30) },
    ]);
  },
  'refuses an index that is cut off': async () => {
    await failsWith('TRUNCATED', () => parseBinningIndex(files['straddle.bam.bai'].subarray(0, 100)));
  },
  'builds the FAI that samtools wrote': () => {
    const builder = new FaiBuilder();
    builder.push(inflateBlocks(files['genome.fa.gz']));
    equal(formatFai(builder.finish()), new TextDecoder().decode(files['genome.fa.gz.fai']));
  },
};

function inflatedOf(index) {
  return index[0] === 0x1f ? inflateBlocks(index) : index;
}
