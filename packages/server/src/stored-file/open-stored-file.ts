import { access } from 'node:fs/promises';
import { FileLoader, type FileLoaderOptions, type StoredFile, type StoredFormat } from '@htskit/htsget';
import { asBinning, type StoredIndex } from '@htskit/htsget/internal';
import { indexPaths } from '@htskit/indexes';
import type { SourceStat } from '@htskit/io';
import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import { detectFileKind, type FileKind } from './file-kind.js';
import { type OpenIdentity, openInput } from './input-file.js';
import { parseRegion } from './parse-region.js';

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

export interface OpenStoredFileOptions extends Pick<FileLoaderOptions, 'limits' | 'signal'> {
  /** Opens the keys for an encrypted file. Default: there are none. */
  readonly openIdentity?: OpenIdentity | undefined;
}

/**
 * Opens a BAM, CRAM, VCF or BCF file, whatever its name, or one that is encrypted. Throws Error for any other file, and what the storage throws. The signal
 * aborts the loads of its header and index.
 */
export async function openStoredFile(
  path: string,
  { openIdentity, ...options }: OpenStoredFileOptions = {},
): Promise<OpenFile> {
  const input = await openInput(path, openIdentity);
  const format = toStoredFormat(await detectFileKind(input));
  const indexPath = await findIndex(path, format);
  const data = input.open();
  const index = indexPath === undefined ? undefined : (await openInput(indexPath, openIdentity)).open();
  const close = async (): Promise<void> => {
    await Promise.all([data.close?.(), index?.close?.()]);
  };
  try {
    return {
      stored: { format, data, index },
      stat: await data.stat(),
      loader: new FileLoader(options),
      indexPath,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws Error for a kind without records, or whose records htsget does not have. */
export function toStoredFormat(kind: FileKind | undefined): StoredFormat {
  if (kind === 'BAM' || kind === 'CRAM' || kind === 'VCF' || kind === 'BCF') return kind;
  throw new Error('neither BAM, CRAM, bgzipped VCF nor BCF');
}

/** Returns the path of the index of a file, or undefined if there is none beside it. */
export async function findIndex(path: string, format: StoredFormat): Promise<string | undefined> {
  for (const candidate of indexPaths(path, format)) {
    const exists = await access(candidate).then(
      () => true,
      () => false,
    );
    if (exists) return candidate;
  }
  return undefined;
}

/** A query of a file as it is written on a command line. */
export interface FileQuery {
  /** Written as `REGION_FORMS` describes. An empty list selects the whole file. */
  readonly regions: readonly string[];
  /** The intervals of a BED file, which replace the regions. In a file, those of unknown references select nothing. */
  readonly intervals?: readonly HtsgetRegion[];
  /** Default: the format of the file. */
  readonly format?: HtsgetFormat;
  readonly isHeaderOnly: boolean;
}

/** The query of a file whose references are known. */
export interface ResolvedFileQuery {
  readonly format: HtsgetFormat;
  readonly class?: 'header';
  readonly regions?: readonly HtsgetRegion[];
  readonly skipsUnknown?: boolean;
}

/**
 * Resolves a query against an open file. Loads its index, or builds one, if there are regions. Throws RegionError for a malformed
 * region, and what the storage and the decoders throw.
 */
export async function resolveQuery(
  { stored, stat, loader }: OpenFile,
  { regions: texts, intervals, format = stored.format, isHeaderOnly }: FileQuery,
): Promise<{ readonly query: ResolvedFileQuery; readonly index: StoredIndex | undefined }> {
  if (isHeaderOnly && texts.length === 0) return { query: { format, class: 'header' }, index: undefined };
  if (intervals !== undefined) {
    const query = { format, regions: intervals, skipsUnknown: true };
    return { query, index: await loader.index(stored, stat) };
  }
  if (texts.length === 0) return { query: { format }, index: undefined };
  const [{ header }, index] = await Promise.all([
    loader.header(stored, stat),
    isHeaderOnly ? undefined : loader.index(stored, stat),
  ]);
  const isReference = (name: string): boolean =>
    header.referenceIds.has(name) || asBinning(index)?.referenceId(name) !== undefined;
  const regions = texts.map((text) => parseRegion(text, isReference));
  return { query: { format, ...(isHeaderOnly ? { class: 'header' } : { regions }) }, index };
}
