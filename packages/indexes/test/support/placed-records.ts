import type { VirtualOffset } from '@htskit/bgzf';
import { decodeBam, readFixture, splitBgzf } from '@htskit/testing';
import { decodeBcf } from './bcf-records.js';

/** The bases that a record covers, 0-based and half-open, and its bytes in the uncompressed file. */
export interface PlacedRecord {
  /** Index of the reference in the file, or −1. */
  readonly referenceId: number;
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly byteStart: number;
  readonly byteEnd: number;
}

/** A fixture whose records an independent reader has decoded. */
export interface PlacedFile {
  readonly referenceNames: readonly string[];
  readonly records: readonly PlacedRecord[];
  /** Converts a virtual offset to an offset in the uncompressed file. */
  readonly locate: (offset: VirtualOffset) => number;
}

/** Decodes a BAM, BCF or bgzipped VCF fixture without an index. */
export function readPlacedFile(name: string): PlacedFile {
  const bytes = readFixture(name);
  const blocks = splitBgzf(bytes);
  const data = Buffer.concat(blocks.map((block) => block.data));
  const blockStarts = new Map<number, number>([[bytes.length, data.length]]);
  let blockStart = 0;
  for (const block of blocks) {
    blockStarts.set(block.coffset, blockStart);
    blockStart += block.data.length;
  }
  return {
    ...(name.endsWith('.bam') ? placeBam(bytes, data) : name.endsWith('.bcf') ? placeBcf(data) : placeVcf(data)),
    locate: ({ coffset, uoffset }) => (blockStarts.get(coffset) ?? Number.NaN) + uoffset,
  };
}

type Placed = Omit<PlacedFile, 'locate'>;

function placeBam(bytes: Uint8Array, data: Buffer): Placed {
  const { records, references } = decodeBam(bytes, { requireEof: false });
  let byteEnd = data.length - records.reduce((sum, { raw }) => sum + raw.length, 0);
  return {
    referenceNames: references.map(({ name }) => name),
    records: records.map(({ referenceId, position, end, raw }) => {
      const byteStart = byteEnd;
      byteEnd += raw.length;
      return { referenceId, baseStart: position, baseEnd: end, byteStart, byteEnd };
    }),
  };
}

function placeBcf(data: Buffer): Placed {
  const { contigs, headerLength, records } = decodeBcf(data);
  let byteEnd = headerLength;
  return {
    referenceNames: contigs,
    records: records.map(({ contig, start, end, byteLength }) => {
      const byteStart = byteEnd;
      byteEnd += byteLength;
      return { referenceId: contig, baseStart: start, baseEnd: end, byteStart, byteEnd };
    }),
  };
}

/** Returns the end of a record, which is END or the end of REF. */
function placeVcf(data: Buffer): Placed {
  const referenceNames: string[] = [];
  const records: PlacedRecord[] = [];
  let byteEnd = 0;
  for (const line of data.toString('latin1').split('\n').slice(0, -1)) {
    const byteStart = byteEnd;
    byteEnd += line.length + 1;
    if (line.startsWith('#')) continue;
    const [name = '', position = '', , reference = '', , , , info = ''] = line.split('\t', 8);
    if (!referenceNames.includes(name)) referenceNames.push(name);
    const baseStart = Number(position) - 1;
    const end = /(?:^|;)END=(\d+)/.exec(info)?.[1];
    const baseEnd = end === undefined ? baseStart + reference.length : Number(end);
    records.push({ referenceId: referenceNames.indexOf(name), baseStart, baseEnd, byteStart, byteEnd });
  }
  return { referenceNames, records };
}
