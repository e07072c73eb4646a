import { Crypt4ghError } from '../crypt4gh-error.js';
import type { SecretKey } from '../keys/secret-key.js';
import type { DataKey } from '../segments/segment.js';
import type { EditList } from './edit-list.js';
import { type HeaderLayout, locatePackets } from './header-layout.js';
import { PacketOpener } from './header-packet.js';
import { parsePayload } from './packet-payload.js';

/** Data keys of a file. A segment that fits none of them is tried with all: each takes 30 µs and more. */
const MAX_DATA_KEYS = 256;

/** The part of a header that a reader needs. */
export interface Crypt4ghHeader {
  /** The keys of the segments, at least one, without repetitions. */
  readonly dataKeys: readonly DataKey[];
  /** Which parts of the plaintext to keep. Undefined: all. */
  readonly editList: EditList | undefined;
  /** Bytes of the header, which is the offset of the first segment. */
  readonly byteLength: number;
}

/** A header with all that its packets hold. */
export interface OpenedPackets extends Crypt4ghHeader {
  /** The decrypted content of packets of unknown types. */
  readonly otherPayloads: readonly Uint8Array[];
  /** The encrypted packets that no key fits, which may be meant for other readers. */
  readonly unopened: readonly Uint8Array[];
}

/**
 * Parses and decrypts the header that `bytes` begin with. Packets that no key fits are ignored, as are those of unknown types.
 * Throws `Crypt4ghError` NO_KEY_FITS if no data key can be decrypted, TRUNCATED if the bytes end before the header does,
 * INVALID_HEADER, UNSUPPORTED and LIMIT_EXCEEDED.
 */
export function parseHeader(bytes: Uint8Array, keys: readonly SecretKey[]): OpenedPackets {
  const layout = locatePackets(bytes);
  if ('neededBytes' in layout) {
    throw new Crypt4ghError('TRUNCATED', 'the file ends within its header', { offset: bytes.length });
  }
  return openPackets(bytes, layout, keys);
}

/** Decrypts the packets of a header whose layout is known. Throws what `parseHeader` throws. */
export function openPackets(bytes: Uint8Array, layout: HeaderLayout, keys: readonly SecretKey[]): OpenedPackets {
  const opener = new PacketOpener(keys);
  const found = new PacketCollector();
  try {
    for (const { start, end } of layout.packets) {
      const packet = bytes.slice(start, end);
      const payload = opener.open(packet);
      if (payload === undefined) found.unopened.push(packet);
      else found.add(payload, start);
    }
  } finally {
    opener.clear();
  }
  const { dataKeys, editList, otherPayloads, unopened } = found;
  if (dataKeys.length === 0) {
    const counts = `${layout.packets.length} packets, ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`;
    throw new Crypt4ghError(
      'NO_KEY_FITS',
      `no data key of the header can be decrypted with the given keys (${counts})`,
    );
  }
  return { dataKeys, editList, byteLength: layout.byteLength, otherPayloads, unopened };
}

/** Collects the contents of decrypted packets. */
class PacketCollector {
  readonly dataKeys: DataKey[] = [];
  readonly otherPayloads: Uint8Array[] = [];
  readonly unopened: Uint8Array[] = [];
  editList: EditList | undefined;

  add(bytes: Uint8Array, offset: number): void {
    const payload = parsePayload(bytes, offset);
    if (payload.kind === 'other') this.otherPayloads.push(bytes);
    else if (payload.kind === 'edit-list') this.#addEditList(payload.editList, offset);
    else {
      bytes.fill(0);
      this.#addDataKey(payload.dataKey, offset);
    }
  }

  #addDataKey(dataKey: DataKey, offset: number): void {
    if (this.dataKeys.some((known) => known.equals(dataKey))) return;
    if (this.dataKeys.length === MAX_DATA_KEYS) {
      throw new Crypt4ghError('LIMIT_EXCEEDED', `the header has more than ${MAX_DATA_KEYS} data keys`, { offset });
    }
    this.dataKeys.push(dataKey);
  }

  /** Accepts a repetition, which a reader finds who has the keys of two recipients. */
  #addEditList(editList: EditList, offset: number): void {
    const known = this.editList;
    if (
      known !== undefined &&
      (known.length !== editList.length || known.some((length, at) => length !== editList[at]))
    ) {
      throw new Crypt4ghError('INVALID_HEADER', 'the header has two edit lists, which differ', { offset });
    }
    this.editList = editList;
  }
}
