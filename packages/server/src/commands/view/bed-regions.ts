import { readFile } from 'node:fs/promises';
import { gunzip } from '@htskit/bgzf';
import type { Region } from '@htskit/records';

/** Most bytes of a BED file after decompression. */
const MAX_BYTES = 2 ** 28;
const NOT_REGIONS = /^(?:#|browser\b|track\b|\s*$)/;

/**
 * Reads the first three columns of a BED file, which may be compressed: name, start and end, 0-based and half-open, separated by
 * white space. Throws Error for a line that has none.
 */
export async function readBedRegions(path: string): Promise<Region[]> {
  const bytes = await readFile(path);
  const text = new TextDecoder().decode(isGzip(bytes) ? gunzip(bytes, { maxBytes: MAX_BYTES }) : bytes);
  return text.split('\n').flatMap((line, index) => (NOT_REGIONS.test(line) ? [] : [parseLine(line, index + 1)]));
}

function parseLine(line: string, number: number): Region {
  const [referenceName = '', ...columns] = line.trim().split(/\s+/);
  const [start = Number.NaN, end = Number.NaN] = columns
    .slice(0, 2)
    .map((column) => (/^\d+$/.test(column) ? Number(column) : Number.NaN));
  if (start <= end && Number.isSafeInteger(end)) return { referenceName, start, end };
  throw new Error(`expected a name, a start and an end that is not before it (line ${number})`);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
