import { concatBytes, toHex } from '@htskit/io';
import { primitives } from '#primitives';
import { Crypt4ghError } from '../crypt4gh-error.js';
import { KEY_BYTES, type SecretBytes } from '../keys/secret-bytes.js';
import { deriveSharedKey, type SecretKey } from '../keys/secret-key.js';
import { MAC_BYTES } from '../primitives/portable-primitives.js';
import { checkNonce, NONCE_BYTES } from '../segments/segment.js';

/** The only method of packets: X25519_chacha20_ietf_poly1305. */
const METHOD = 0;
const WRITER_START = 8;
const NONCE_START = WRITER_START + KEY_BYTES;
const PAYLOAD_START = NONCE_START + NONCE_BYTES;

export interface PacketInput {
  readonly payload: Uint8Array;
  readonly writer: SecretKey;
  /** The public key of the reader. */
  readonly recipient: Uint8Array;
  /** Never used before with the same writer and recipient. */
  readonly nonce: Uint8Array;
}

/** Encrypts a header packet for one reader (Crypt4GH §3.2.1). Throws `Crypt4ghError` INVALID_KEY and INVALID_ARGUMENT. */
export function sealPacket({ payload, writer, recipient, nonce }: PacketInput): Uint8Array {
  checkNonce(nonce);
  const key = deriveSharedKey({ secretKey: writer, reader: recipient, writer: writer.publicKey });
  const sealed = primitives.seal({ key: key.expose(), nonce, data: payload });
  key.clear();
  const preamble = new Uint8Array(WRITER_START);
  const view = new DataView(preamble.buffer);
  view.setUint32(0, PAYLOAD_START + sealed.length, true);
  view.setUint32(4, METHOD, true);
  return concatBytes([preamble, writer.publicKey, nonce, sealed]);
}

/** Decrypts header packets. Packets of one writer share a key agreement, which costs more than all else. */
export class PacketOpener {
  readonly #keys: readonly SecretKey[];
  /** The shared keys with each writer, by its public key. */
  readonly #shared = new Map<string, readonly SecretBytes[]>();

  constructor(keys: readonly SecretKey[]) {
    this.#keys = keys;
  }

  /** Decrypts the payload of a packet, or returns undefined if no key fits: it may be meant for another reader. */
  open(packet: Uint8Array): Uint8Array | undefined {
    if (packet.length < PAYLOAD_START + MAC_BYTES || packet.subarray(4, 8).some((byte) => byte !== METHOD)) {
      return undefined;
    }
    const nonce = packet.subarray(NONCE_START, PAYLOAD_START);
    const data = packet.subarray(PAYLOAD_START);
    for (const shared of this.#sharedKeys(packet.subarray(WRITER_START, NONCE_START))) {
      const payload = primitives.open({ key: shared.expose(), nonce, data });
      if (payload !== undefined) return payload;
    }
    return undefined;
  }

  /** Zeroes the shared keys. */
  clear(): void {
    for (const keys of this.#shared.values()) for (const key of keys) key.clear();
    this.#shared.clear();
  }

  #sharedKeys(writer: Uint8Array): readonly SecretBytes[] {
    const id = toHex(writer);
    const known = this.#shared.get(id);
    if (known !== undefined) return known;
    const shared = this.#keys.flatMap((secretKey) => deriveUnlessInvalid(secretKey, writer));
    this.#shared.set(id, shared);
    return shared;
  }
}

/** Returns no key for a writer whose public key is a point of low order, since no secret key belongs to it. */
function deriveUnlessInvalid(secretKey: SecretKey, writer: Uint8Array): readonly SecretBytes[] {
  try {
    return [deriveSharedKey({ secretKey, reader: secretKey.publicKey, writer })];
  } catch (error) {
    if (error instanceof Crypt4ghError && error.code === 'INVALID_KEY') {
      secretKey.expose();
      return [];
    }
    throw error;
  }
}
