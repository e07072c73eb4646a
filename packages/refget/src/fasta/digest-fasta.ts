import { GziBuilder, type GziIndex, inflateBlock, readChunks, streamBlocks } from '@htskit/bgzf';
import type { ByteSource, SourceStat } from '@htskit/storage';
import { type DigestedRecord, FastaDigester } from './fasta-digester.js';

/** How far the one pass over a file is, in bytes as they are stored. */
export interface FastaProgress {
  readonly bytesRead: number;
  readonly size: number;
}

export interface DigestFastaOptions {
  readonly data: ByteSource;
  readonly stat: SourceStat;
  readonly isCompressed: boolean;
  readonly maxSequences: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: FastaProgress) => void) | undefined;
}

export interface DigestedFasta {
  readonly records: readonly DigestedRecord[];
  /** Undefined for a file that is not compressed. */
  readonly gzi: GziIndex | undefined;
  /** Bytes. */
  readonly uncompressedLength: number;
}

/** Reads a FASTA file once, in constant memory but for what it returns. */
export async function digestFasta(options: DigestFastaOptions): Promise<DigestedFasta> {
  const digester = new FastaDigester(options.maxSequences);
  const gzi = options.isCompressed ? new GziBuilder() : undefined;
  let uncompressedLength = 0;
  const chunks = storedChunks(options);
  for await (const chunk of gzi === undefined ? chunks : inflateChunks(chunks, gzi)) {
    digester.push(chunk);
    uncompressedLength += chunk.length;
  }
  return { records: digester.finish(), gzi: gzi?.finish(), uncompressedLength };
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

async function* inflateChunks(
  chunks: AsyncGenerator<Uint8Array, void>,
  gzi: GziBuilder,
): AsyncGenerator<Uint8Array, void> {
  for await (const { coffset, bytes } of streamBlocks(chunks)) {
    const data = inflateBlock(bytes, { coffset });
    gzi.add(coffset, data.length);
    yield data;
  }
}
