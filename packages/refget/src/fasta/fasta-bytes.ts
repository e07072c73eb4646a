import type { ByteRange } from '@htskit/protocol';
import type { ByteSource } from '@htskit/storage';
import { readChunks } from '../byte-stream.js';

/** The uncompressed bytes of a FASTA file. */
export interface FastaBytes {
  /** The bytes of a range that is not empty, in order and in chunks of any length. */
  chunks(range: ByteRange, options: { readonly signal: AbortSignal | undefined }): AsyncGenerator<Uint8Array, void>;
}

/** Bytes up to which a range takes one read. Beyond, a stream bounds the memory. */
const READ_BYTES = 65_536;

/** The bytes of a FASTA file that is not compressed; `version` is the one that all of them must be of. */
export function plainFastaBytes(data: ByteSource, version: string | undefined): FastaBytes {
  return {
    async *chunks(range, { signal }) {
      const options = { signal, version };
      if (range.end - range.start <= READ_BYTES) yield await data.read(range, options);
      else yield* readChunks(data.stream(range, options));
    },
  };
}
