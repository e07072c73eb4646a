import { compactCrai, decompressIndex } from '@htskit/indexes';
import { concatBytes } from '@htskit/io';
import type { ChunkTransform } from './chunk-transform.js';

export interface IndexTransformOptions {
  /** `crai`: the memory of a `CraiIndex`. `decompress`: the uncompressed bytes of any index. */
  readonly kind: 'crai' | 'decompress';
  /** Most bytes of the uncompressed index. */
  readonly maxBytes: number;
}

/** Does the part of opening an index that takes long. A hostile CRAI index takes seconds; other formats parse in one short pass. */
export class IndexTransform implements ChunkTransform {
  readonly isComplete = false;
  readonly #options: IndexTransformOptions;
  #chunks: Uint8Array[] = [];
  #output: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor(options: IndexTransformOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  finish(): void {
    const bytes = concatBytes(this.#chunks);
    this.#chunks = [];
    const { kind, maxBytes } = this.#options;
    this.#output =
      kind === 'crai' ? compactCrai(bytes, { maxBytes }) : new Uint8Array(decompressIndex(bytes, { maxBytes }));
  }

  take(): Uint8Array<ArrayBuffer> {
    const output = this.#output;
    this.#output = new Uint8Array(0);
    return output;
  }
}
