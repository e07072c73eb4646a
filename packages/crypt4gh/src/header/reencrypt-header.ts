import { generateKeyPair, type SecretKey } from '../keys/secret-key.js';
import { randomNonce } from '../segments/segment.js';
import { parseHeader } from './crypt4gh-header.js';
import type { EditList } from './edit-list.js';
import { encodeDataKey } from './packet-payload.js';
import { encodeEdits, sealPackets } from './write-header.js';

export interface ReencryptHeaderOptions {
  /** The secret keys that open the header. */
  readonly keys: readonly SecretKey[];
  /** The public keys of those who shall be able to read the file. */
  readonly recipients: readonly Uint8Array[];
  /** Replaces the edit list of the file. Default: it stays as it is. */
  readonly editList?: EditList | undefined;
  /** Whether packets that the keys do not open are kept, so that those who could read the file still can. Default false. */
  readonly keepsOtherReaders?: boolean;
  /** The key that packets are encrypted with. Default: a new one, which is then cleared. */
  readonly writer?: SecretKey | undefined;
}

/**
 * Encrypts the header that `bytes` begin with for other readers. The segments of the file stay as they are. Packets of unknown types
 * are encrypted for the new readers, too. Throws what `openHeader` and `writeHeader` throw.
 *
 * @example
 * const header = reencryptHeader(bytes, { keys: [secretKey], recipients: [bob] });
 */
export function reencryptHeader(bytes: Uint8Array, options: ReencryptHeaderOptions): Uint8Array {
  const { keys, recipients, keepsOtherReaders = false, writer = generateKeyPair().secretKey } = options;
  const opened = parseHeader(bytes, keys);
  const keyPayloads = opened.dataKeys.map(encodeDataKey);
  try {
    return sealPackets({
      recipients,
      payloads: [...keyPayloads, ...encodeEdits(options.editList ?? opened.editList), ...opened.otherPayloads],
      writerSecretKey: writer,
      nonceOf: randomNonce,
      appended: keepsOtherReaders ? opened.unopened : [],
    });
  } finally {
    for (const payload of keyPayloads) payload.fill(0);
    for (const dataKey of opened.dataKeys) dataKey.clear();
    if (options.writer === undefined) writer.clear();
  }
}
