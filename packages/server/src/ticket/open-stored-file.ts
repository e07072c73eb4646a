import { access } from 'node:fs/promises';
import type { BgzfFile, CramFile, StoredFile, StoredFormat } from '@htskit/htsget';
import { buildIndex, DEFAULT_LIMITS, readBgzfFile, readCramFile } from '@htskit/htsget';
import { type BinningIndex, type CraiIndex, parseBinningIndex, parseCrai, readIndex } from '@htskit/indexes';
import { fileSource } from '@htskit/storage/file';
import { detectFileKind, type FileKind } from '../file-kind.js';
import { indexPaths } from '../index-paths.js';

/** A local file that regions can be planned on. */
export interface OpenFile {
  readonly stored: StoredFile;
  readonly file: BgzfFile | CramFile;
  readonly size: number;
  /** Where its index is, if it has one. */
  readonly indexPath: string | undefined;
  /** Undefined for a file that has none, and is too long to be indexed now, or not sorted. */
  readIndex(): Promise<BinningIndex | CraiIndex | undefined>;
  close(): Promise<void>;
}

/** Opens a BAM, CRAM, VCF or BCF file, whatever it is called. Throws what reading it throws, and Error for another file. */
export async function openStoredFile(path: string): Promise<OpenFile> {
  const format = toStoredFormat(await detectFileKind(path));
  const indexPath = await findIndex(path, format);
  const data = fileSource(path);
  const index = indexPath === undefined ? undefined : fileSource(indexPath);
  const stat = await data.stat();
  const options = { ...stat, maxHeaderBytes: DEFAULT_LIMITS.headerBytes };
  const file = format === 'CRAM' ? await readCramFile(data, options) : await readBgzfFile(data, { ...options, format });
  return {
    stored: { format, data, ...(index !== undefined && { index }) },
    file,
    size: stat.size,
    indexPath,
    async readIndex() {
      const { indexBytes, indexedBytes } = DEFAULT_LIMITS;
      if (index !== undefined) {
        const parse = format === 'CRAM' ? parseCrai : parseBinningIndex;
        return readIndex<BinningIndex | CraiIndex>(index, parse, { maxBytes: indexBytes });
      }
      return stat.size > indexedBytes ? undefined : buildIndex(data, { ...stat, format, maxIndexBytes: indexBytes });
    },
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
