import type { ByteRange, ByteSource, ReadOptions } from '@htskit/io';
import { readChunks } from '@htskit/io';

/** The uncompressed bytes of a FASTA file. Ranges are not empty. */
export interface FastaBytes {
  read(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array>;
  /** In chunks of any length. */
  chunks(range: ByteRange, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void>;
}

/** The bytes of a FASTA file that is not compressed; `version` is the one that all of them must be of. */
export function plainFastaBytes(data: ByteSource, version: string | undefined): FastaBytes {
  const toOptions = (signal: AbortSignal | undefined): ReadOptions => ({ signal, version });
  return {
    read: (range, signal) => data.read(range, toOptions(signal)),
    chunks: (range, signal) => readChunks(data.stream(range, toOptions(signal))),
  };
}
