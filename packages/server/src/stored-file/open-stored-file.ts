import { access } from 'node:fs/promises';
import { indexPaths } from '@htskit/catalogue/internal';
import type { BgzfFile, CramFile, StoredFile, StoredFormat } from '@htskit/htsget';
import { buildIndex, DEFAULT_LIMITS, readBgzfFile, readCramFile } from '@htskit/htsget';
import { type BinningIndex, type CraiIndex, parseBinningIndex, parseCrai, readIndex } from '@htskit/indexes';
import type { ReadOptions, SourceStat } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { detectFileKind, type FileKind } from '../file-kind.js';

export type Index = BinningIndex | CraiIndex;

/** A local file that regions can be planned on. */
export interface OpenFile {
  readonly stored: StoredFile;
  readonly file: BgzfFile | CramFile;
  /** As it was when it was opened. */
  readonly stat: SourceStat;
  /** Where its index is, if it has one. */
  readonly indexPath: string | undefined;
  /** Undefined for a file that has none, and is too long to be indexed now, or not sorted. */
  readIndex(options?: ReadOptions): Promise<Index | undefined>;
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
    stat,
    indexPath,
    async readIndex({ signal } = {}) {
      const { indexBytes, indexedBytes } = DEFAULT_LIMITS;
      if (index !== undefined) {
        const parse = format === 'CRAM' ? parseCrai : parseBinningIndex;
        return readIndex<Index>(index, parse, { maxBytes: indexBytes, signal });
      }
      if (stat.size > indexedBytes) return undefined;
      return buildIndex(data, { ...stat, format, maxIndexBytes: indexBytes, signal });
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

/** The index of a BAM, VCF or BCF file. */
export function asBinning(index: Index | undefined): BinningIndex | undefined {
  return index !== undefined && 'chunks' in index ? index : undefined;
}
