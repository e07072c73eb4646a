import { IndexError } from '../index-error.js';
import { countAt, WORD_BYTES, type WordCursor } from './words.js';

const COUNT_WORDS = 2;

/** n_no_coor, which ends the index; older writers left it out. `byteLength` is that of the whole index. */
export function readUnplacedCount(cursor: WordCursor, byteLength: number): number | undefined {
  const bytesLeft = byteLength - cursor.byteOffset;
  if (bytesLeft === 0) return undefined;
  const at = cursor.skip(COUNT_WORDS);
  if (bytesLeft > COUNT_WORDS * WORD_BYTES) {
    throw new IndexError('INVALID_DATA', 'bytes stand behind the end of the index', { offset: cursor.byteOffset });
  }
  return countAt(cursor.data, at);
}
