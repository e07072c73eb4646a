import { SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import type { Padding } from '../block-url/block-claim.js';
import type { AnswerPart } from './divide-answer.js';
import { paddingBytes } from './padding.js';

/** A part of an answer as it is sent. */
export type PaddedPart = AnswerPart & { readonly padding?: Padding };

/**
 * Returns the lengths of an edit list, alternately of bytes to discard and to keep (Crypt4GH §4.2), which leave the plaintext of
 * the parts; undefined if all bytes are kept. The last length is one to keep, because htslib ignores the last of an odd number.
 */
export function createEditList(parts: readonly PaddedPart[]): readonly number[] | undefined {
  const edits = new EditList();
  for (const part of parts) {
    if (part.kind === 'stored') {
      edits.discard(part.start % SEGMENT_BYTES);
      edits.keep(part.end - part.start);
      edits.discard(paddingBytes(part.end, 'zeros'));
    } else {
      // No length is unknown if anything is discarded.
      const { plainBytes = 0, padding } = part;
      const paddedBytes = padding === undefined ? 0 : paddingBytes(plainBytes, padding);
      edits.keep(padding === 'blocks' ? plainBytes + paddedBytes : plainBytes);
      if (padding === 'zeros') edits.discard(paddedBytes);
    }
  }
  return edits.isEmpty ? undefined : edits.lengths;
}

class EditList {
  /** Begins with a length to discard. */
  readonly lengths: number[] = [];

  get isEmpty(): boolean {
    return this.lengths.every((length, index) => index % 2 === 1 || length === 0);
  }

  discard(bytes: number): void {
    this.#add(bytes, 0);
  }

  keep(bytes: number): void {
    this.#add(bytes, 1);
  }

  /** Lengths at even positions are discarded, those at odd positions kept. */
  #add(bytes: number, parity: 0 | 1): void {
    if (bytes === 0) return;
    const { lengths } = this;
    if (lengths.length % 2 === parity) lengths.push(bytes);
    else if (lengths.length === 0) lengths.push(0, bytes);
    else lengths.push((lengths.pop() ?? 0) + bytes);
  }
}
