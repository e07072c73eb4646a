import type { SecretKey } from '@htskit/crypt4gh';
import type { Ticket } from '@htskit/protocol';
import { loadDecryption } from '#lazy-decryption';
import { HtsgetClientError } from '../client-error.js';
import { DownloadVerifier } from './download-verifier.js';
import type { StreamSettings } from './stream-options.js';

interface EncryptedDownload {
  readonly ticket: Ticket;
  readonly identity: SecretKey;
  readonly settings: Pick<StreamSettings, 'verifyEnd'>;
}

/**
 * Decrypts the bytes of a download, and checks what they are. Decryption is loaded when it is needed. Throws UNDECRYPTABLE, and what
 * `DownloadVerifier` throws.
 */
export async function* decryptDownload(
  chunks: AsyncIterable<Uint8Array>,
  { ticket, identity, settings: { verifyEnd } }: EncryptedDownload,
): AsyncGenerator<Uint8Array, void> {
  const { Crypt4ghError, decryptStream } = await loadDecryption();
  const { format, urls } = ticket.htsget;
  // The MD5 of a ticket is that of the encrypted bytes.
  const verifier = new DownloadVerifier({ htsget: { format, urls } }, { verifyEnd, isEncrypted: false });
  try {
    for await (const chunk of decryptStream(chunks, { keys: [identity] })) {
      await verifier.add(chunk);
      yield chunk;
    }
  } catch (cause) {
    if (!(cause instanceof Crypt4ghError)) throw cause;
    throw new HtsgetClientError('UNDECRYPTABLE', `the answer cannot be decrypted: ${cause.message}`, { cause });
  }
  verifier.finish();
}
