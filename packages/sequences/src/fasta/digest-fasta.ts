import { BgzfPool, GziBuilder, type GziIndex } from '@htskit/bgzf';
import type { ByteSource, SourceStat } from '@htskit/io';
import { readChunks } from '@htskit/io';
import type { DigestProgress } from '../digest-progress.js';
import { type DigestedRecord, digestRecords } from './digest-records.js';

/** One for all files: its workers do not keep a process alive, and start when the first long file is opened. */
const pool = new BgzfPool();

export interface DigestFastaOptions {
  readonly data: ByteSource;
  readonly stat: SourceStat;
  readonly isCompressed: boolean;
  readonly maxSequences: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: DigestProgress) => void) | undefined;
}

export interface DigestedFasta {
  readonly records: readonly DigestedRecord[];
  /** Undefined for a file that is not compressed. */
  readonly gzi: GziIndex | undefined;
  /** Bytes. */
  readonly uncompressedLength: number;
}

/** Reads a FASTA file once, on all processors and in constant memory but for what it returns. */
export async function digestFasta(options: DigestFastaOptions): Promise<DigestedFasta> {
  const { isCompressed, maxSequences } = options;
  const gzi = isCompressed ? new GziBuilder() : undefined;
  const stored = storedChunks(options);
  const text = { byteLength: 0 };
  const chunks = gzi === undefined ? stored : pool.inflate(stored, { gzi });
  const records = await digestRecords(measured(chunks, text), maxSequences);
  return { records, gzi: gzi?.finish(), uncompressedLength: text.byteLength };
}

async function* storedChunks({ data, stat, signal, onProgress }: DigestFastaOptions): AsyncGenerator<Uint8Array, void> {
  const { size, version } = stat;
  let bytesRead = 0;
  for await (const chunk of readChunks(data.stream({ start: 0, end: size }, { signal, version }))) {
    yield chunk;
    bytesRead += chunk.length;
    onProgress?.({ bytesRead, size });
  }
}

async function* measured(
  chunks: AsyncIterable<Uint8Array>,
  text: { byteLength: number },
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    text.byteLength += chunk.length;
    yield chunk;
  }
}
