import { readEofMarker } from '@htskit/bgzf';
import { objectKindOf } from '@htskit/catalogue/internal';
import { indexPaths } from '@htskit/indexes';
import { type ByteSource, readChunks } from '@htskit/io';
import { companionPathOf, isEncryptedPath, plainPathOf } from '@htskit/io/internal';
import type { FileKind } from '../../stored-file/file-kind.js';
import { NO_IDENTITY } from '../../stored-file/input-file.js';
import { indexFile } from '../index/index-file.js';
import type { PreparedFile, PrepareOptions } from './prepared-file.js';
import { type Companion, findCompanion, writeCompanion } from './write-companion.js';

/**
 * Makes the indexes of a file, unless it has current ones where a server looks for them. Returns whether they were made, and
 * undefined for 2bit, which needs none.
 */
export async function prepareIndex(file: PreparedFile, options: PrepareOptions): Promise<boolean | undefined> {
  const { signal, pool } = options;
  const kind = kindOf(file.key);
  if (kind === undefined) return undefined;
  if (await hasIndexes(file, kind, signal)) return false;
  const data = await openPlain(file, options);
  const { size, version } = await data.stat({ signal });
  const chunks = readChunks(data.stream({ start: 0, end: size }, { version, signal }));
  const indexes = await indexFile(chunks, { kind, csi: false, pool, signal });
  let isMade = false;
  for (const { extension, bytes } of indexes) {
    const companion = await findCompanion(file, companionPathOf(file.key, extension), signal);
    if (companion.isCurrent) continue;
    const content = isEncryptedPath(file.key) ? await options.keys.encrypt(bytes) : bytes;
    if (await writeCompanion(file, content, { ...companion, signal })) isMade = true;
  }
  if (kind !== 'CRAM' && kind !== 'FASTA' && !(await readEofMarker(data, size))) {
    file.warn('the EOF marker is missing, so the file may be truncated');
  }
  return isMade;
}

function kindOf(key: string): FileKind | undefined {
  const format = objectKindOf(key)?.format;
  if (format !== undefined) return format;
  const plain = isEncryptedPath(key) ? plainPathOf(key) : key;
  if (plain.endsWith('.2bit')) return undefined;
  return plain.endsWith('.gz') ? 'bgzipped FASTA' : 'FASTA';
}

/** Returns whether the first index that a server finds is current, and for bgzipped FASTA both are. */
async function hasIndexes(file: PreparedFile, kind: FileKind, signal: AbortSignal): Promise<boolean> {
  const { key } = file;
  const isRecords = kind === 'BAM' || kind === 'CRAM' || kind === 'VCF' || kind === 'BCF';
  if (isRecords) return (await findFirst(file, indexPaths(key, kind), signal))?.isCurrent === true;
  for (const extension of kind === 'FASTA' ? ['.fai'] : ['.fai', '.gzi']) {
    const paths = [companionPathOf(key, extension), key + extension];
    if ((await findFirst(file, paths, signal))?.isCurrent !== true) return false;
  }
  return true;
}

async function findFirst(
  file: PreparedFile,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Companion | undefined> {
  for (const key of keys) {
    const companion = await findCompanion(file, key, signal);
    if (companion.stat !== undefined) return companion;
  }
  return undefined;
}

/** Returns the plaintext of a file. Throws Error if there is no key for it. */
async function openPlain({ key, stored }: PreparedFile, { keys }: PrepareOptions): Promise<ByteSource> {
  if (!isEncryptedPath(key)) return stored;
  const decrypt = await keys.openDecrypt();
  if (decrypt === undefined) throw new Error(NO_IDENTITY);
  return decrypt(stored);
}
