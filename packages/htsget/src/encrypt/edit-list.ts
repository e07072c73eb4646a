import { SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import type { Padding } from '../block-url/block-claim.js';
import type { AnswerPart } from './divide-answer.js';
import { paddingBytes } from './padding.js';

/** A part of an answer as it is sent. */
export type PaddedPart = AnswerPart & { readonly padding?: Padding };

/**
 * Returns the lengths of an edit list, alternately of bytes to discard and to keep (Crypt4GH §4.3), which leave the plaintext of
 * the parts; undefined if all bytes are kept. After an odd number of lengths the rest is kept.
 */
export function createEditList(parts: readonly PaddedPart[]): readonly number[] | undefined {
  const edits = new EditList();
  for (const part of parts) {
    if (part.kind === 'stored') {
      edits.discard(part.start % SEGMENT_BYTES);
      edits.keep(part.end - part.start);
      edits.discard(paddingBytes(part.end, 'zeros'));
    } else if (part.plainBytes === undefined || part.padding === undefined) {
      // No stored segments follow parts of unknown length, and nothing follows the last part.
      return edits.toKeepRest();
    } else if (part.padding === 'blocks') {
      edits.keep(part.plainBytes + paddingBytes(part.plainBytes, 'blocks'));
    } else {
      edits.keep(part.plainBytes);
      edits.discard(paddingBytes(part.plainBytes, 'zeros'));
    }
  }
  return edits.lengths;
}

class EditList {
  /** Begins with a length to discard. */
  readonly lengths: number[] = [];

  discard(bytes: number): void {
    this.#add(bytes, 0);
  }

  keep(bytes: number): void {
    this.#add(bytes, 1);
  }

  /** Returns the lengths without the last one to keep, or undefined if nothing is discarded. */
  toKeepRest(): readonly number[] | undefined {
    const lengths = this.lengths.length % 2 === 0 ? [...this.lengths.slice(0, -1)] : this.lengths;
    return lengths.every((length) => length === 0) ? undefined : lengths;
  }

  /** Lengths at even places are discarded, those at odd places kept. */
  #add(bytes: number, parity: 0 | 1): void {
    if (bytes === 0) return;
    const { lengths } = this;
    if (lengths.length % 2 === parity) lengths.push(bytes);
    else if (lengths.length === 0) lengths.push(0, bytes);
    else lengths.push((lengths.pop() ?? 0) + bytes);
  }
}
