// Files with regions and the records of these regions, known without an index and without the packages.
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { makeBamLike } from '../bam-like.mjs';
import { createRandom } from '../random.mjs';

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const READ_LENGTH = 150;
/** Bases of a read. */
const SHORTEST = 100;
const LINE_FEED = 0x0a;
/** The most that htslib writes into a block, uncompressed. */
const BLOCK_LENGTH = 0xff00;

/** Returns the uncompressed offset after the header. */
const HEADER_LENGTHS = {
  BAM(data) {
    let at = 8 + data.readInt32LE(4);
    const references = data.readInt32LE(at);
    at += 4;
    for (let n = 0; n < references; n += 1) at += 8 + data.readInt32LE(at);
    return at;
  },
  BCF: (data) => 9 + data.readInt32LE(5),
  VCF: (data) => data.indexOf(LINE_FEED, data.indexOf('\n#CHROM') + 1) + 1,
};

/** Returns the offset after the record at `at`. */
const RECORD_ENDS = {
  BAM: (data, at) => at + 4 + data.readInt32LE(at),
  BCF: (data, at) => at + 8 + data.readInt32LE(at) + data.readInt32LE(at + 4),
  VCF: (data, at) => data.indexOf(LINE_FEED, at) + 1,
};

/** Returns the fixtures of a format, with the regions for which samtools and bcftools results are recorded. */
export function readFixtures(format) {
  const expected = readdirSync(new URL('expected/', FIXTURES)).map((name) =>
    JSON.parse(readFileSync(new URL(`expected/${name}`, FIXTURES), 'utf8')),
  );
  return expected
    .filter((file) => file.format === format && file.regions.length > 0)
    .map(({ file, index, regions }) => {
      const bytes = readFileSync(new URL(file, FIXTURES));
      const data = gunzipSync(bytes);
      return {
        name: file,
        format,
        bytes,
        index: readFileSync(new URL(index, FIXTURES)),
        data,
        ...splitRecords(data, format),
        regions: regions.map(({ records, ...region }) => ({
          region,
          ordinals: records.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n)),
        })),
      };
    });
}

/**
 * Builds a sorted BAM file of one reference, of some `length` bytes uncompressed, with `count` regions of 100 bases to
 * `longest`. Each block begins with a record, as htslib writes them.
 */
export function makeBamFile({ length, count, longest }) {
  const records = makeBamLike(length);
  const whole = Buffer.concat([bamHeader(), records]);
  const split = splitRecords(whole, 'BAM');
  const data = whole.subarray(0, split.starts.at(-1));
  const bytes = Buffer.concat([...deflateRecords(data, split), EOF_MARKER]);
  const positions = Float64Array.from(split.starts.slice(0, -1), (at) => data.readInt32LE(at + 8));
  const random = createRandom(7);
  const regions = Array.from({ length: count }, () => {
    const start = positions[random() % positions.length];
    const end = start + Math.round(SHORTEST * (longest / SHORTEST) ** (random() / 2 ** 32));
    const ordinals = [];
    for (const [ordinal, position] of positions.entries()) {
      if (position < end && start < position + READ_LENGTH) ordinals.push(ordinal);
    }
    return { region: { referenceName: 'chr1', start, end }, ordinals };
  });
  return { name: 'generated.bam', format: 'BAM', bytes, data, ...split, regions };
}

/** Yields the header, and then repeatedly as many whole records as fit into a block. */
function* deflateRecords(data, { headerLength, starts }) {
  yield deflateBlocks(data.subarray(0, headerLength));
  let first = headerLength;
  for (const [ordinal, end] of starts.entries()) {
    const next = starts[ordinal + 1] ?? Infinity;
    if (next - first <= BLOCK_LENGTH) continue;
    yield deflateBlocks(data.subarray(first, end));
    first = end;
  }
}

function bamHeader() {
  const header = Buffer.alloc(4 + 4 + 4 + 4 + 5 + 4);
  header.write('BAM\u0001', 0, 'latin1');
  header.writeInt32LE(1, 8);
  header.writeInt32LE(5, 12);
  header.write('chr1\0', 16, 'latin1');
  header.writeInt32LE(2 ** 28, 21);
  return header;
}

/** Returns the offset of each whole record, and the end of the last one. */
function splitRecords(data, format) {
  const headerLength = HEADER_LENGTHS[format](data);
  const starts = [headerLength];
  for (let at = headerLength; data.length - at >= 8; ) {
    at = RECORD_ENDS[format](data, at);
    if (at > data.length) break;
    starts.push(at);
  }
  return { headerLength, starts };
}

/** Returns the uncompressed records of a region. */
export function recordsOf({ data, starts }, ordinals) {
  return Buffer.concat(ordinals.map((ordinal) => data.subarray(starts[ordinal], starts[ordinal + 1])));
}
