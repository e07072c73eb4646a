import { IndexError } from './index-error.js';

/** Bytes of a magic. */
export const MAGIC_BYTES = 4;

export const BAI_MAGIC = 'BAI\x01';
export const CSI_MAGIC = 'CSI\x01';
export const TBI_MAGIC = 'TBI\x01';

/** Whether `bytes` begin with a magic. */
export function hasMagic(bytes: Uint8Array, magic: string): boolean {
  return Array.from(magic).every((character, at) => bytes[at] === character.charCodeAt(0));
}

/** Throws `IndexError` TRUNCATED or INVALID_MAGIC unless `bytes` begin with the magic. */
export function checkMagic(bytes: Uint8Array, magic: string): void {
  if (bytes.length < MAGIC_BYTES) {
    throw new IndexError('TRUNCATED', `${MAGIC_BYTES} bytes expected, ${bytes.length} left`, { offset: 0 });
  }
  if (hasMagic(bytes, magic)) return;
  throw new IndexError('INVALID_MAGIC', `a ${magic.slice(0, 3)} index begins with "${magic.slice(0, 3)}\\1"`, {
    offset: 0,
  });
}
