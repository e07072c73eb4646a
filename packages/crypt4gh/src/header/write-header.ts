import { Crypt4ghError } from '../crypt4gh-error.js';
import { KEY_BYTES } from '../keys/secret-bytes.js';
import type { SecretKey } from '../keys/secret-key.js';
import type { DataKey } from '../segments/segment.js';
import { checkEditList, type EditList } from './edit-list.js';
import { joinPackets } from './header-layout.js';
import { sealPacket } from './header-packet.js';
import { encodeDataKey, encodeEditList } from './packet-payload.js';

/** The content of a header, and its readers. */
export interface HeaderInput {
  /** The public keys of the readers, each of 32 bytes. */
  readonly recipients: readonly Uint8Array[];
  readonly dataKeys: readonly DataKey[];
  readonly editList?: EditList | undefined;
  /** The key that packets are encrypted with. Readers see its public key. */
  readonly writerSecretKey: SecretKey;
  /** Returns the nonce of a packet, by its position in the header. A nonce must never be used twice with one writer and reader. */
  readonly nonceOf: (index: number) => Uint8Array;
}

/** The contents of the packets of a header, and packets to append as they are. */
export interface PacketsInput extends Omit<HeaderInput, 'dataKeys' | 'editList'> {
  readonly payloads: readonly Uint8Array[];
  readonly appended?: readonly Uint8Array[];
}

/**
 * Writes a header: for each reader, a packet for each data key, and one for the edit list if there is one. The same input results in
 * the same bytes. Throws `Crypt4ghError` INVALID_KEY for an unusable public key, INVALID_ARGUMENT if there is no reader or no data
 * key, and LIMIT_EXCEEDED.
 */
export function writeHeader({ dataKeys, editList, ...input }: HeaderInput): Uint8Array {
  if (dataKeys.length === 0) throw new Crypt4ghError('INVALID_ARGUMENT', 'a header needs at least one data key');
  const keyPayloads = dataKeys.map(encodeDataKey);
  try {
    return sealPackets({ ...input, payloads: [...keyPayloads, ...encodeEdits(editList)] });
  } finally {
    for (const payload of keyPayloads) payload.fill(0);
  }
}

/** Encodes the edit list as a payload. Throws `Crypt4ghError` INVALID_ARGUMENT. */
export function encodeEdits(editList: EditList | undefined): readonly Uint8Array[] {
  if (editList === undefined) return [];
  checkEditList(editList);
  return [encodeEditList(editList)];
}

/** Encrypts every payload for every reader. Throws what `writeHeader` throws. */
export function sealPackets(input: PacketsInput): Uint8Array {
  const { recipients, payloads, writerSecretKey: writer, nonceOf, appended = [] } = input;
  if (recipients.length === 0) throw new Crypt4ghError('INVALID_ARGUMENT', 'a header needs at least one recipient');
  for (const recipient of recipients) {
    if (recipient.length === KEY_BYTES) continue;
    throw new Crypt4ghError('INVALID_KEY', `a public key has ${KEY_BYTES} bytes, not ${recipient.length}`);
  }
  const packets = recipients.flatMap((recipient, reader) =>
    payloads.map((payload, index) =>
      sealPacket({ payload, writer, recipient, nonce: nonceOf(reader * payloads.length + index) }),
    ),
  );
  return joinPackets([...packets, ...appended]);
}
