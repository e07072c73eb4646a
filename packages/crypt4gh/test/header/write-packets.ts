import { generateKeyPair, type SecretKey } from '@htskit/crypt4gh';
import { joinPackets } from '../../src/header/header-layout.js';
import { sealPacket } from '../../src/header/header-packet.js';
import { randomNonce } from '../../src/segments/segment.js';

/** Writes a header whose packets have the given payloads, which need not be valid. */
export function writePackets(payloads: readonly Uint8Array[], reader: SecretKey): Uint8Array {
  const writer = generateKeyPair().secretKey;
  const input = { writer, recipient: reader.publicKey };
  return joinPackets(payloads.map((payload) => sealPacket({ ...input, payload, nonce: randomNonce() })));
}

/** Returns little-endian 32-bit words as bytes, followed by other bytes. */
export function words(values: readonly number[], rest: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(4 * values.length + rest.length);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(4 * index, value, true);
  bytes.set(rest, 4 * values.length);
  return bytes;
}
