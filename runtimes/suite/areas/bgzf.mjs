import {
  BgzfCompressionStream,
  BgzfDecompressionStream,
  BgzfPool,
  buildGzi,
  defaultEngine,
  deflateBlocks,
  deflateStream,
  EOF_MARKER,
  formatGzi,
  gunzip,
  inflateBlock,
  inflateBlocks,
  inflateRange,
  inflateStream,
  locateUncompressed,
  parseGzi,
  streamCut,
} from '@htskit/bgzf';
import { pakoEngine } from '@htskit/bgzf/engines/pako';
import {
  crc32,
  endsWithEofMarker,
  findBlock,
  inflateBlockPrefix,
  parseBlockHeader,
  readBlock,
  streamBlocks,
} from '@htskit/bgzf/internal';
import { toOwnedChunks } from '@htskit/io';
import { fromFilehandle, toFilehandle } from '@htskit/storage/filehandle';
import { memorySource } from '@htskit/storage/memory';
import { collect, concat, equal, equalBytes, failsWith, sha256 } from '../check.mjs';
import { expected, files } from '../fixtures.mjs';

const fasta = files['genome.fa.gz'];
const bam = files['straddle.bam'];

/** The engine that this runtime has chosen. */
export const engine = () => defaultEngine().name;

/** Pieces of an odd length, so that blocks are cut anywhere. */
async function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += 1_237) yield bytes.subarray(at, at + 1_237);
}

/** Returns a file in which one bit of the first block's CRC32 is flipped. */
function damaged(file) {
  const bytes = file.slice();
  bytes[parseBlockHeader(bytes).blockSize - 8] ^= 1;
  return bytes;
}

export const checks = {
  'inflates files that htslib did not write': async () => {
    for (const name of ['straddle.bam', 'extra-subfield.bam']) {
      const data = inflateBlocks(files[name]);
      // magic, l_text, text, n_ref; then for each reference l_name, name with NUL, l_ref (SAMv1 §4.2).
      const { header, references, bodySha256 } = expected[name];
      const lengths = references.map((reference) => 8 + reference.name.length + 1);
      const bodyStart = lengths.reduce((sum, length) => sum + length, 12 + header.length);
      equal(await sha256(data.subarray(bodyStart)), bodySha256);
    }
  },
  'inflates a stream of any chunking': async () => {
    const spans = [];
    for await (const { data } of inflateStream(pieces(bam))) spans.push(data.slice());
    equalBytes(concat(spans), inflateBlocks(bam));
  },
  'round-trips data at every level': async () => {
    const data = inflateBlocks(fasta);
    for (let level = 0; level <= 9; level++) equalBytes(inflateBlocks(deflateBlocks(data, { level })), data);
  },
  'deflates a stream, and ends it with the marker': async () => {
    const data = inflateBlocks(fasta);
    const file = await collect(deflateStream(pieces(data)));
    equal(endsWithEofMarker(file), true);
    equalBytes(inflateBlocks(file), data);
  },
  'returns the same through transform streams': async () => {
    const file = new Response(fasta).body;
    const data = file.pipeThrough(new BgzfDecompressionStream()).pipeThrough(new BgzfCompressionStream());
    equalBytes(inflateBlocks(new Uint8Array(await new Response(data).arrayBuffer())), inflateBlocks(fasta));
  },
  'inflates a prefix of a block': () => {
    const block = fasta.subarray(0, parseBlockHeader(fasta).blockSize);
    equalBytes(inflateBlockPrefix(block, { length: 100 }), inflateBlocks(fasta).subarray(0, 100));
  },
  'reads a range by its uncompressed offset, also over a filehandle': async () => {
    const gzi = parseGzi(files['genome.fa.gz.gzi']);
    const range = { start: locateUncompressed(gzi, 65_000), end: locateUncompressed(gzi, 135_000) };
    const source = memorySource(fasta);
    for (const each of [source, fromFilehandle(toFilehandle(source), { chunkBytes: 777 })]) {
      const spans = [];
      for await (const { data } of inflateRange(each, range)) spans.push(data.slice());
      equalBytes(concat(spans), inflateBlocks(fasta).subarray(65_000, 135_000));
    }
  },
  'cuts a range out of a file': async () => {
    const gzi = parseGzi(files['genome.fa.gz.gzi']);
    const range = { start: locateUncompressed(gzi, 65_000), end: locateUncompressed(gzi, 135_000) };
    const part = concat([await collect(streamCut(memorySource(fasta), range)), EOF_MARKER]);
    equalBytes(inflateBlocks(part), inflateBlocks(fasta).subarray(65_000, 135_000));
  },
  'builds the GZI index that bgzip wrote': async () => {
    const built = await buildGzi(memorySource(fasta), fasta.length);
    const { coffsets, uncompressedOffsets } = parseGzi(files['genome.fa.gz.gzi']);
    equal([...built.coffsets], [...coffsets]);
    equal([...built.uncompressedOffsets], [...uncompressedOffsets]);
  },
  'finds blocks from anywhere, and reads them one by one': async () => {
    const source = memorySource(fasta);
    const coffsets = [];
    for await (const { coffset } of streamBlocks(pieces(fasta))) coffsets.push(coffset);
    equal(coffsets.slice(1, -1), [...parseGzi(files['genome.fa.gz.gzi']).coffsets]);
    equal(await findBlock(source, 1, { end: fasta.length }), coffsets[1]);
    const { bytes } = await readBlock(source, coffsets[1]);
    equal(crc32(inflateBlock(bytes)), new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true));
  },
  'reads gzip that is not BGZF': async () => {
    const gzip = new Response('some text').body.pipeThrough(new CompressionStream('gzip'));
    equal(new TextDecoder().decode(gunzip(new Uint8Array(await new Response(gzip).arrayBuffer()))), 'some text');
  },
  'writes the GZI that it read': () => {
    equalBytes(formatGzi(parseGzi(files['genome.fa.gz.gzi'])), files['genome.fa.gz.gzi']);
  },
  'refuses a block whose CRC32 differs, and one that is cut': async () => {
    await failsWith('CRC_MISMATCH', () => inflateBlocks(damaged(bam)));
    await failsWith('CRC_MISMATCH', () => inflateBlocks(damaged(bam), { engine: pakoEngine }));
    await failsWith('TRUNCATED', () => inflateBlocks(bam.subarray(0, bam.length - 40)));
  },
  'inflates and deflates on all processors, or on this thread if workers are missing': async () => {
    // More than one job; otherwise no worker is started.
    const file = concat(Array.from({ length: 40 }, () => fasta));
    const data = inflateBlocks(file);
    const pool = new BgzfPool({ threads: 2 });
    try {
      equal(data.length > 4_000_000, true);
      equalBytes(await collect(toOwnedChunks(pool.inflate(pieces(file)))), data);
      equalBytes(await collect(pool.deflate(pieces(data))), await collect(deflateStream(pieces(data))));
      await failsWith('CRC_MISMATCH', () => collect(toOwnedChunks(pool.inflate(pieces(concat([file, damaged(bam)]))))));
    } finally {
      await pool.close();
    }
  },
};
