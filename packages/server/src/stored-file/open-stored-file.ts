import { access } from 'node:fs/promises';
import { indexPaths } from '@htskit/catalogue/internal';
import { FileLoader, type FileLoaderOptions, type StoredFile, type StoredFormat } from '@htskit/htsget';
import type { SourceStat } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { detectFileKind, type FileKind } from './file-kind.js';

/** A local file that regions can be planned on. */
export interface OpenFile {
  readonly stored: StoredFile;
  /** Size and version when the file was opened. */
  readonly stat: SourceStat;
  /** Keeps the header and the index of the file. */
  readonly loader: FileLoader;
  /** Path of the index, if there is one. */
  readonly indexPath: string | undefined;
  close(): Promise<void>;
}

/**
 * Opens a BAM, CRAM, VCF or BCF file, whatever its name. Throws Error for any other file, and what the storage throws. The signal
 * aborts the loads of its header and index.
 */
export async function openStoredFile(
  path: string,
  options: Pick<FileLoaderOptions, 'limits' | 'signal'> = {},
): Promise<OpenFile> {
  const format = toStoredFormat(await detectFileKind(path));
  const indexPath = await findIndex(path, format);
  const data = fileSource(path);
  const index = indexPath === undefined ? undefined : fileSource(indexPath);
  return {
    stored: { format, data, index },
    stat: await data.stat(),
    loader: new FileLoader(options),
    indexPath,
    async close() {
      await Promise.all([data.close(), index?.close()]);
    },
  };
}

function toStoredFormat(kind: FileKind | undefined): StoredFormat {
  if (kind === 'BAM' || kind === 'CRAM' || kind === 'VCF' || kind === 'BCF') return kind;
  throw new Error('neither BAM, CRAM, bgzipped VCF nor BCF');
}

async function findIndex(path: string, format: StoredFormat): Promise<string | undefined> {
  for (const candidate of indexPaths(path, format)) {
    const exists = await access(candidate).then(
      () => true,
      () => false,
    );
    if (exists) return candidate;
  }
  return undefined;
}
