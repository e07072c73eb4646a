import { readFile } from 'node:fs/promises';
import { gunzip } from '@htskit/bgzf';
import { decodeText } from '@htskit/io';
import type { HtsgetRegion } from '@htskit/protocol';
import { ofFile } from '../errors.js';

/** The maximum number of bytes of a BED file after decompression. */
const MAX_BYTES = 2 ** 28;
/** Lines of BED for browsers begin with these words, unless they have the numbers of a reference of that name. */
const DIRECTIVES: readonly string[] = ['browser', 'track'];

/**
 * Reads the first three columns of a BED file, which may be compressed: name, start and end, 0-based and half-open, separated by
 * white space. As in samtools, a line with one number is the 1-based position of a base. Comments, blank lines and the lines
 * `browser` and `track` are left out. Throws Error with the path for other lines, and for a file that cannot be read.
 */
export async function readBedRegions(path: string): Promise<HtsgetRegion[]> {
  try {
    const bytes = await readFile(path);
    const text = decodeText(isGzip(bytes) ? gunzip(bytes, { maxBytes: MAX_BYTES }) : bytes);
    return text.split('\n').flatMap((line, index) => parseLine(line, index + 1));
  } catch (error) {
    throw ofFile(path, error);
  }
}

function parseLine(line: string, number: number): HtsgetRegion[] {
  const [referenceName = '', ...columns] = line.replace(/^[\ufeff \t]+|[ \t\r]+$/g, '').split(/[ \t]+/);
  if (referenceName === '' || referenceName.startsWith('#')) return [];
  const [first, second] = columns.slice(0, 2).map((column) => (/^\d+$/.test(column) ? Number(column) : undefined));
  if (first !== undefined) {
    const [start, end] = second === undefined ? [first - 1, first] : [first, second];
    if (start >= 0 && start <= end && Number.isSafeInteger(end)) return [{ referenceName, start, end }];
  }
  if (DIRECTIVES.includes(referenceName)) return [];
  throw new Error(`expected a name, a start and an end that is not before it (line ${number})`);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
