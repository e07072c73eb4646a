import type { EditList } from '../header/edit-list.js';
import { type HeaderInput, writeHeader } from '../header/write-header.js';
import { generateKeyPair, type SecretKey } from '../keys/secret-key.js';
import { encryptSegment, generateDataKey, randomNonce, SEGMENT_BYTES } from '../segments/segment.js';
import { splitPieces } from './split-pieces.js';

export interface EncryptStreamOptions {
  /** The public keys of those who shall be able to read the file. */
  readonly recipients: readonly Uint8Array[];
  /** The key that the header is encrypted with, whose public key readers see. Default: a new one, which is then cleared. */
  readonly writer?: SecretKey | undefined;
  /** The parts of the data that readers keep. The file holds, encrypted, all of it. */
  readonly editList?: EditList | undefined;
}

/**
 * Encrypts data with a new data key: yields the header and then each segment. Throws `Crypt4ghError` INVALID_KEY and INVALID_ARGUMENT
 * before it reads any data.
 *
 * @example
 * const recipients = [parsePublicKey(await readFile('bob.pub'))];
 * await pipeline(encryptStream(createReadStream('a.bam'), { recipients }), createWriteStream('a.bam.c4gh'));
 */
export async function* encryptStream(
  chunks: AsyncIterable<Uint8Array>,
  { recipients, editList, writer }: EncryptStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const dataKey = generateDataKey();
  try {
    yield encryptHeader({ recipients, dataKeys: [dataKey], editList, writer });
    const nonce = randomNonce();
    for await (const plaintext of splitPieces(chunks, SEGMENT_BYTES)) {
      yield encryptSegment(plaintext, dataKey, nonce);
      increment(nonce);
    }
  } finally {
    dataKey.clear();
  }
}

type EncryptHeaderInput = Omit<HeaderInput, 'writerSecretKey' | 'nonceOf'> & Pick<EncryptStreamOptions, 'writer'>;

function encryptHeader({ writer, ...input }: EncryptHeaderInput): Uint8Array {
  const writerSecretKey = writer ?? generateKeyPair().secretKey;
  try {
    return writeHeader({ ...input, writerSecretKey, nonceOf: randomNonce });
  } finally {
    if (writer === undefined) writerSecretKey.clear();
  }
}

/** Counts from a random start, so that no nonce of a file repeats (Crypt4GH §5.3). */
function increment(nonce: Uint8Array): void {
  for (let at = 0; at < nonce.length; at++) {
    const byte = ((nonce[at] ?? 0) + 1) & 255;
    nonce[at] = byte;
    if (byte !== 0) return;
  }
}
