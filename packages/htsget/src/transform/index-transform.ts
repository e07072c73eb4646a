import type { RecordLimits } from '@htskit/formats/internal';
import { compactCrai, decompressIndex } from '@htskit/indexes/internal';
import { concatBytes } from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import type { ChunkTransform } from './chunk-transform.js';

export interface IndexTransformOptions {
  /** `crai`: the memory of a `CraiIndex`. `decompress`: the uncompressed bytes of any index. */
  readonly kind: 'crai' | 'decompress';
  /** The maximum number of bytes of the uncompressed index. */
  readonly maxBytes: number;
}

/**
 * Does the part of opening an index that takes long. A hostile CRAI index takes seconds; other formats parse in one short pass.
 */
export class IndexTransform implements ChunkTransform {
  readonly isComplete = false;
  readonly #options: IndexTransformOptions;
  readonly #memory: MemoryAccount | undefined;
  #chunks: Uint8Array[] = [];
  #output: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor(options: IndexTransformOptions, { memory }: RecordLimits = {}) {
    this.#options = options;
    this.#memory = memory;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  advance(): boolean {
    return true;
  }

  finish(): void {
    const bytes = concatBytes(this.#chunks);
    this.#chunks = [];
    const { kind, maxBytes } = this.#options;
    const options = { maxBytes, memory: this.#memory };
    this.#output = kind === 'crai' ? compactCrai(bytes, options) : new Uint8Array(decompressIndex(bytes, options));
  }

  take(): Uint8Array<ArrayBuffer> {
    const output = this.#output;
    this.#output = new Uint8Array(0);
    return output;
  }
}
