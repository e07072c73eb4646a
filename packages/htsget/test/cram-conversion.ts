import { createBamToSam, parseBamHeader } from '@htskit/formats';
import { peek } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, hasEofMarker, readFixture } from '@htskit/testing';
import type { CramReferenceSource, StoredFile } from '../src/index.js';

/** Returns the sequences of a FASTA file. */
function readSequences(name: string): ReadonlyMap<string, string> {
  const records = Buffer.from(readFixture(name)).toString('latin1').split('>').slice(1);
  return new Map(
    records.map((record) => {
      const [title = '', ...lines] = record.split('\n');
      return [title.split(' ')[0] ?? '', lines.join('')];
    }),
  );
}

/** Returns the bases of a FASTA file by name. */
export function fastaReference(file: string): CramReferenceSource {
  const sequences = readSequences(file);
  return async ({ name, start, end }) => {
    const bases = sequences.get(name)?.slice(start, end);
    return bases === undefined ? undefined : new Uint8Array(Buffer.from(bases, 'latin1'));
  };
}

/** The CRAM file that cannot be decoded without `genomeReference`. */
export const referencedFile: StoredFile = {
  format: 'CRAM',
  data: memorySource(readFixture('referenced/reads.cram'), { key: 'referenced', version: '1' }),
  index: memorySource(readFixture('referenced/reads.cram.crai'), { key: 'referenced.crai', version: '1' }),
};

/** The reference of the CRAM fixtures. */
export const genomeReference: CramReferenceSource = fastaReference('genome.fa');

export interface SamText {
  readonly header: string;
  readonly lines: readonly string[];
}

/** Returns a complete BAM file as SAM text. */
export function toSam(file: Uint8Array): SamText {
  if (!hasEofMarker(file)) throw new Error('no EOF marker');
  const data = bgunzip(file);
  const header = parseBamHeader(data);
  const converter = createBamToSam(header);
  const pieces = converter
    .push(data.subarray(header.byteLength))
    .map((piece) => Buffer.from(peek(piece)).toString('latin1'));
  converter.finish();
  return { header: Buffer.from(converter.header).toString('utf8'), lines: pieces.join('').split('\n').slice(0, -1) };
}
