import { stat } from 'node:fs/promises';
import { BgzfError, type InflatedSpan, inflateStream } from '@htskit/bgzf';
import { type BorrowedBytes, peek } from '@htskit/io';
import type { InputFile } from './input-file.js';

/** The content of a file, as far as its index depends on it; `text` is bgzipped text of another kind. */
export type FileKind = 'BAM' | 'BCF' | 'CRAM' | 'VCF' | 'FASTA' | 'bgzipped FASTA' | 'text';

/** The first bytes of the data of each kind. */
const BGZF_KINDS: readonly (readonly [start: string, kind: FileKind])[] = [
  ['BAM\u0001', 'BAM'],
  ['BCF\u0002', 'BCF'],
  ['##fileformat=VCF', 'VCF'],
  ['>', 'bgzipped FASTA'],
];
const PLAIN_KINDS: readonly (readonly [start: string, kind: FileKind])[] = [
  ['CRAM', 'CRAM'],
  ['>', 'FASTA'],
];
/** The remedies for files that need another compression, by their first bytes. */
const REMEDIES: readonly (readonly [start: string, remedy: string])[] = [
  ['\u001f\u008b', 'plain gzip cannot be indexed; recompress it with bgzip'],
  ['##fileformat=VCF', 'uncompressed VCF cannot be indexed; compress it with bgzip'],
  ['@HD\t', 'SAM cannot be indexed; convert it with samtools view -b'],
  ['@SQ\t', 'SAM cannot be indexed; convert it with samtools view -b'],
];
/** The number of bytes that distinguish the kinds. */
const START_BYTES = 16;

/**
 * Detects the kind of a file from the first bytes of its plaintext. Returns undefined for a file that cannot be indexed. Throws Error for a file
 * that cannot be read, and for SAM, VCF and gzip without blocks, which allow no random access.
 */
export async function detectFileKind(input: InputFile): Promise<FileKind | undefined> {
  const stats = await stat(input.path);
  if (stats.isDirectory()) throw new Error('expected a file, found a folder');
  if (stats.size === 0) return undefined;
  const data = await readDataStart(input);
  const start = data ?? (await readStart(input.readFromStart(START_BYTES)));
  const remedy = data === undefined ? REMEDIES.find(([begin]) => start.startsWith(begin))?.[1] : undefined;
  if (remedy !== undefined) throw new Error(remedy);
  const kinds = data === undefined ? PLAIN_KINDS : BGZF_KINDS;
  const kind = kinds.find(([begin]) => start.startsWith(begin))?.[1];
  return kind ?? (data === undefined ? undefined : 'text');
}

/**
 * Returns the first bytes of the data in a BGZF file, whose blocks may hold one byte each, or undefined for a file that does not
 * begin with a block. Throws BgzfError for a damaged or truncated block.
 */
async function readDataStart(input: InputFile): Promise<string | undefined> {
  try {
    return await readStart(toData(inflateStream(input.readFromStart())));
  } catch (error) {
    if (error instanceof BgzfError && error.code === 'INVALID_HEADER' && error.offset === 0) return undefined;
    throw error;
  }
}

async function* toData(spans: AsyncIterable<InflatedSpan>): AsyncGenerator<BorrowedBytes, void> {
  for await (const { data } of spans) yield data;
}

async function readStart(pieces: AsyncIterable<BorrowedBytes>): Promise<string> {
  let start = '';
  for await (const piece of pieces) {
    start += Buffer.from(peek(piece).subarray(0, START_BYTES)).toString('latin1');
    if (start.length >= START_BYTES) break;
  }
  return start;
}
