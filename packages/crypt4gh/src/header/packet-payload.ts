import { Crypt4ghError } from '../crypt4gh-error.js';
import { KEY_BYTES } from '../keys/secret-bytes.js';
import { DataKey } from '../segments/segment.js';

const DATA_KEY_TYPE = 0;
const EDIT_LIST_TYPE = 1;
const DATA_METHOD = 0;
const DATA_KEY_START = 8;
const LENGTHS_START = 8;
const LENGTH_BYTES = 8;

/** The decrypted content of a header packet (Crypt4GH §3.2.2). `other` is of a type that this version does not define. */
export type PacketPayload =
  | { readonly kind: 'data-key'; readonly dataKey: DataKey }
  | { readonly kind: 'edit-list'; readonly editList: readonly number[] }
  | { readonly kind: 'other'; readonly bytes: Uint8Array };

/**
 * Parses the decrypted content of the packet that begins at `offset`. Padding after it is allowed. Throws `Crypt4ghError`
 * INVALID_HEADER if the content is cut, and UNSUPPORTED for another method of encrypting segments.
 */
export function parsePayload(bytes: Uint8Array, offset: number): PacketPayload {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4) throw cutPayload(offset);
  const type = view.getUint32(0, true);
  if (type === DATA_KEY_TYPE) return { kind: 'data-key', dataKey: parseDataKey(bytes, view, offset) };
  if (type === EDIT_LIST_TYPE) return { kind: 'edit-list', editList: parseEditList(view, offset) };
  return { kind: 'other', bytes };
}

function parseDataKey(bytes: Uint8Array, view: DataView, offset: number): DataKey {
  if (bytes.length < DATA_KEY_START) throw cutPayload(offset);
  const method = view.getUint32(4, true);
  if (method !== DATA_METHOD) {
    throw new Crypt4ghError('UNSUPPORTED', `segments are encrypted with the unknown method ${method}`, { offset });
  }
  if (bytes.length < DATA_KEY_START + KEY_BYTES) throw cutPayload(offset);
  return new DataKey(bytes.subarray(DATA_KEY_START, DATA_KEY_START + KEY_BYTES));
}

function parseEditList(view: DataView, offset: number): readonly number[] {
  if (view.byteLength < LENGTHS_START) throw cutPayload(offset);
  const count = view.getUint32(4, true);
  if (count > (view.byteLength - LENGTHS_START) / LENGTH_BYTES) throw cutPayload(offset);
  return Array.from({ length: count }, (_, index) => {
    const at = LENGTHS_START + index * LENGTH_BYTES;
    const length = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    if (Number.isSafeInteger(length)) return length;
    throw new Crypt4ghError('INVALID_HEADER', 'a length of the edit list exceeds 2^53 - 1', { offset });
  });
}

function cutPayload(offset: number): Crypt4ghError {
  return new Crypt4ghError('INVALID_HEADER', 'a header packet is shorter than its content', { offset });
}

/** Encodes the payload of a packet that holds a data key. The caller zeroes it after use. */
export function encodeDataKey(dataKey: DataKey): Uint8Array {
  const payload = new Uint8Array(DATA_KEY_START + KEY_BYTES);
  const view = new DataView(payload.buffer);
  view.setUint32(0, DATA_KEY_TYPE, true);
  view.setUint32(4, DATA_METHOD, true);
  payload.set(dataKey.expose(), DATA_KEY_START);
  return payload;
}

/** Encodes the payload of a packet that holds an edit list. */
export function encodeEditList(editList: readonly number[]): Uint8Array {
  const payload = new Uint8Array(LENGTHS_START + LENGTH_BYTES * editList.length);
  const view = new DataView(payload.buffer);
  view.setUint32(0, EDIT_LIST_TYPE, true);
  view.setUint32(4, editList.length, true);
  for (const [index, length] of editList.entries()) {
    const at = LENGTHS_START + index * LENGTH_BYTES;
    view.setUint32(at, length % 2 ** 32, true);
    view.setUint32(at + 4, Math.floor(length / 2 ** 32), true);
  }
  return payload;
}
