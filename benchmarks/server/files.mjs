// Writes the served files: the header and the index of a whole genome, which are all that tickets need, and a BAM for
// its blocks.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { parseBinningIndex } from '@htskit/indexes';
import { makeBamLike } from '../bam-like.mjs';
import { writeIndexes } from '../indexes/files.mjs';

/** Uncompressed bytes of the BAM. */
const BAM_LENGTH = 64_000_000;

/** Returns the paths by name. */
export function writeFiles(folder) {
  const { data: genome, index } = writeIndexes(folder).BAI.paths;
  endWhereIndexed(genome, index);
  const bam = join(folder, 'reads.bam');
  writeFileSync(bam, Buffer.concat([deflateBlocks(header()), deflateBlocks(makeBamLike(BAM_LENGTH)), EOF_MARKER]));
  return { genome, index, bam };
}

/**
 * Ends the data with the block in which the index says that the last record ends. Between it and the header the file is a
 * hole, which no ticket reads and which takes no room on disk.
 */
export function endWhereIndexed(genome, index) {
  const { coffset, uoffset } = parseBinningIndex(readFileSync(index)).lastPlacedEnd();
  const data = openSync(genome, 'r+');
  writeSync(data, Buffer.concat([deflateBlocks(Buffer.alloc(uoffset)), EOF_MARKER]), 0, undefined, coffset);
  closeSync(data);
}

/** A header with one reference and without text (SAMv1 §4.2). */
function header() {
  const bytes = Buffer.alloc(25);
  bytes.write('BAM\x01', 0, 'latin1');
  bytes.writeInt32LE(1, 8);
  bytes.writeInt32LE(5, 12);
  bytes.write('chr1\0', 16);
  bytes.writeInt32LE(248_956_422, 21);
  return bytes;
}
