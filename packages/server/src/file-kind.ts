import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { BgzfError, inflateStream } from '@htskit/bgzf';

/** What a file holds, as far as an index depends on it; `text` is bgzipped text of another kind. */
export type FileKind = 'BAM' | 'BCF' | 'CRAM' | 'VCF' | 'FASTA' | 'bgzipped FASTA' | 'text';

/** How the data of a kind begins. */
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
const GZIP = '\u001f\u008b';
/** Bytes that tell the kinds apart. */
const START_BYTES = 16;

/**
 * What the file holds, judged by how it begins; undefined for what cannot be indexed. Throws where it cannot be read, and for
 * gzip that is no BGZF: nothing in it can be reached without all before it.
 */
export async function detectFileKind(path: string): Promise<FileKind | undefined> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new Error('it is a folder, not a file');
  if (stats.size === 0) return undefined;
  const data = await readDataStart(path);
  const start = data ?? (await readStart(createReadStream(path, { end: START_BYTES - 1 })));
  if (data === undefined && start.startsWith(GZIP)) {
    throw new Error('plain gzip, which has no index: recompress with bgzip');
  }
  const kinds = data === undefined ? PLAIN_KINDS : BGZF_KINDS;
  const kind = kinds.find(([begin]) => start.startsWith(begin))?.[1];
  return kind ?? (data === undefined ? undefined : 'text');
}

/**
 * The first bytes of the data in a BGZF file, whose blocks may hold a byte each; undefined for what does not begin with a
 * block. Throws BgzfError for a block that is damaged or cut.
 */
async function readDataStart(path: string): Promise<string | undefined> {
  try {
    return await readStart(toData(inflateStream(createReadStream(path))));
  } catch (error) {
    if (error instanceof BgzfError && error.code === 'INVALID_HEADER' && error.offset === 0) return undefined;
    throw error;
  }
}

async function* toData(spans: AsyncIterable<{ readonly data: Uint8Array }>): AsyncGenerator<Uint8Array, void> {
  for await (const { data } of spans) yield data;
}

async function readStart(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let start = '';
  for await (const piece of pieces) {
    start += Buffer.from(piece.subarray(0, START_BYTES)).toString('latin1');
    if (start.length >= START_BYTES) break;
  }
  return start;
}
