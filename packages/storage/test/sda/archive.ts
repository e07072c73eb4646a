import { createHash } from 'node:crypto';
import { concatBytes } from '@htskit/io';
import { type ArchivedFile, SdaServer } from '@htskit/testing';

/** The token of the user who may see the datasets of `archivedFile`. */
export const TOKEN = { authorization: 'Bearer alice' };

/** Starts an archive that appends the public key of the reader to a header, which stands for encryption. */
export async function startArchive(options: { readonly pageLength?: number } = {}): Promise<SdaServer> {
  const archive = await SdaServer.start({ reencrypt: (header, key) => concatBytes([header, key]), ...options });
  archive.permissions.set('alice', new Set(['EGAD1']));
  return archive;
}

export function archivedFile(path: string, content: Uint8Array): ArchivedFile {
  return {
    dataset: 'EGAD1',
    path,
    fileId: `EGAF-${path}`,
    header: Buffer.from('header of '),
    content,
    decryptedSize: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
}
