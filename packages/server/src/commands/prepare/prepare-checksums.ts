import { digestInThread } from '@htskit/drs/internal';
import type { ByteSource } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import { checksumFolder } from '../../runtime/checksums/checksum-folder.js';
import type { PreparedFile, PrepareOptions } from './prepared-file.js';

/**
 * Computes the checksums of a version of a file into the folder from which a server answers DRS, unless they exist. Returns
 * whether they were computed, and undefined for an encrypted file, whose checksums are not kept. Throws Error without a folder.
 */
export async function prepareChecksums(
  { key, stored, stat }: PreparedFile,
  { cache, signal }: PrepareOptions,
): Promise<boolean | undefined> {
  if (isEncryptedPath(key)) return undefined;
  if (cache === undefined) throw new Error('the folder of checksums is not set; use --cache DIR');
  if (stat.version === undefined) throw new Error('the store reports no version of the file');
  const store = checksumFolder(cache);
  const name = `${stored.key}\n${stat.version}`;
  if ((await store.load(name).catch(() => undefined)) !== undefined) return false;
  const data: ByteSource = {
    key: stored.key,
    stat: (options) => stored.stat(options),
    read: (range, options) => stored.read(range, options),
    stream: (range, options) => stored.stream(range, { ...options, signal }),
  };
  await store.save(name, await digestInThread(data, stat));
  return true;
}
