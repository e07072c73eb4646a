import { compactCrai } from '@htskit/indexes';
import { concatBytes } from '@htskit/io';
import type { ChunkTransform } from './chunk-transform.js';

export interface CraiTransformOptions {
  /** Most bytes of the uncompressed index. */
  readonly maxBytes: number;
}

/** Parses a CRAI index to the memory of a `CraiIndex`. A hostile one takes seconds. */
export class CraiTransform implements ChunkTransform {
  readonly isComplete = false;
  readonly #options: CraiTransformOptions;
  #chunks: Uint8Array[] = [];
  #output = new Uint8Array(0);

  constructor(options: CraiTransformOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  finish(): void {
    const bytes = concatBytes(this.#chunks);
    this.#chunks = [];
    this.#output = compactCrai(bytes, this.#options);
  }

  take(): Uint8Array<ArrayBuffer> {
    const output = this.#output;
    this.#output = new Uint8Array(0);
    return output;
  }
}
