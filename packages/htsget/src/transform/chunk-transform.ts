import { BLOCK_DATA_BYTES } from '@htskit/bgzf/internal';
import { type BorrowedBytes, concatBytes, peek } from '@htskit/io';

/** Converts stored bytes, which arrive in chunks of any size, to bytes of the answer. */
export interface ChunkTransform {
  /** Whether the transform needs no further chunks. */
  readonly isComplete: boolean;
  /** Adds stored bytes, after `advance` has returned true. */
  push(chunk: Uint8Array): void;
  /** Continues until the output is long or the stored bytes are used up. Returns whether they are. */
  advance(): boolean;
  /** Ends the stored bytes. */
  finish(): void;
  /** Returns the output since the last call, in memory of its own. */
  take(): Uint8Array<ArrayBuffer>;
}

/** Collects pieces of any size to full blocks. Pieces are copied. */
export class OutputBlocks {
  /** Bytes of the output since the last call of `take`. */
  byteLength = 0;
  readonly #toBytes: (data: Uint8Array) => Uint8Array<ArrayBuffer>;
  /** The data of the block that is not full yet. Allocated with the first piece: most regions are small. */
  #block: Uint8Array<ArrayBuffer> | undefined;
  #blockBytes = 0;
  #output: Uint8Array<ArrayBuffer>[] = [];

  constructor(toBytes: (data: Uint8Array) => Uint8Array<ArrayBuffer>) {
    this.#toBytes = toBytes;
  }

  add(piece: BorrowedBytes): void {
    this.#block ??= new Uint8Array(BLOCK_DATA_BYTES);
    for (let offset = 0; offset < piece.length; ) {
      const part = peek(piece).subarray(offset, offset + BLOCK_DATA_BYTES - this.#blockBytes);
      this.#block.set(part, this.#blockBytes);
      this.#blockBytes += part.length;
      offset += part.length;
      if (this.#blockBytes === BLOCK_DATA_BYTES) this.flush();
    }
  }

  /** Adds a stored block as it is, and keeps its memory. */
  addBlock(block: Uint8Array<ArrayBuffer>): void {
    this.flush();
    this.#push(block);
  }

  flush(): void {
    if (this.#block === undefined || this.#blockBytes === 0) return;
    this.#push(this.#toBytes(this.#block.subarray(0, this.#blockBytes)));
    this.#blockBytes = 0;
  }

  /** Returns the bytes since the last call, in memory of their own. */
  take(): Uint8Array<ArrayBuffer> {
    const [first = new Uint8Array(0), ...others] = this.#output;
    this.#output = [];
    this.byteLength = 0;
    return others.length === 0 ? first : concatBytes([first, ...others]);
  }

  #push(bytes: Uint8Array<ArrayBuffer>): void {
    this.#output.push(bytes);
    this.byteLength += bytes.length;
  }
}
