import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type BgzfPool, formatGzi, GziBuilder } from '@htskit/bgzf';
import {
  FaiBuilder,
  formatFai,
  indexBam,
  indexBcf,
  indexCram,
  indexTabix,
  indexVcf,
  type TabixFormat,
} from '@htskit/indexes';
import type { FileKind } from '../../file-kind.js';

export interface IndexFileOptions {
  /** CSI where BAI or TBI would do. */
  readonly csi: boolean;
  /** Of CSI, which it asks for. */
  readonly minShift?: number | undefined;
  /** How lines of bgzipped text are read. VCF is known without. */
  readonly preset?: TabixFormat | undefined;
  /** Inflates files. */
  readonly pool: BgzfPool;
  readonly signal?: AbortSignal | undefined;
  /** Told how many bytes of the file were read. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
}

/** An index as it is stored, and what its name adds to that of the file. */
export interface FileIndex {
  readonly extension: '.bai' | '.csi' | '.tbi' | '.crai' | '.fai' | '.gzi';
  readonly bytes: Uint8Array;
}

/** What indexing a kind takes: the file's bytes and the options. */
type Indexer = (chunks: AsyncIterable<Uint8Array>, options: IndexFileOptions) => Promise<readonly FileIndex[]>;

const INDEXERS: Readonly<Record<FileKind, Indexer>> = {
  BAM: async (chunks, { csi, ...options }) => {
    const bytes = await indexBam(chunks, { ...options, format: csi ? 'CSI' : undefined });
    return [{ extension: isBai(bytes) ? '.bai' : '.csi', bytes }];
  },
  BCF: async (chunks, options) => [{ extension: '.csi', bytes: await indexBcf(chunks, options) }],
  CRAM: async (chunks, options) => [{ extension: '.crai', bytes: await indexCram(chunks, options) }],
  VCF: (chunks, options) => indexText(chunks, { ...options, preset: options.preset ?? 'vcf' }),
  text: indexText,
  FASTA: async (chunks, { signal, onProgress }) => {
    const fai = new FaiBuilder();
    for await (const chunk of withProgress(chunks, onProgress)) {
      signal?.throwIfAborted();
      fai.push(chunk);
    }
    return [toFai(fai)];
  },
  'bgzipped FASTA': indexBgzippedFasta,
};

/** The extensions of the indexes that a file of this kind gets, except that BAI gives way to CSI for long references. */
export function indexExtensions(
  kind: FileKind,
  { csi, minShift }: Pick<IndexFileOptions, 'csi' | 'minShift'>,
): readonly FileIndex['extension'][] {
  const isCsi = csi || minShift !== undefined;
  switch (kind) {
    case 'BAM':
      return [isCsi ? '.csi' : '.bai'];
    case 'BCF':
      return ['.csi'];
    case 'CRAM':
      return ['.crai'];
    case 'VCF':
    case 'text':
      return [isCsi ? '.csi' : '.tbi'];
    case 'FASTA':
      return ['.fai'];
    case 'bgzipped FASTA':
      return ['.fai', '.gzi'];
  }
}

/**
 * The indexes of a file of this kind. Throws Error where it changed meanwhile, or is text that needs a preset, and as
 * `indexBam` and the like.
 */
export async function indexFile(
  path: string,
  { kind, ...options }: IndexFileOptions & { readonly kind: FileKind },
): Promise<readonly FileIndex[]> {
  const before = await stat(path);
  const indexes = await INDEXERS[kind](createReadStream(path, { highWaterMark: 2 ** 20 }), options);
  const after = await stat(path);
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) throw new Error('it changed while it was read');
  return indexes;
}

async function indexText(
  chunks: AsyncIterable<Uint8Array>,
  { csi, preset, ...options }: IndexFileOptions,
): Promise<readonly FileIndex[]> {
  if (preset === undefined) throw new Error('bgzipped text of an unknown kind: --preset says how to read its lines');
  const isCsi = csi || options.minShift !== undefined;
  const format = isCsi ? 'CSI' : 'TBI';
  const bytes =
    preset === 'vcf'
      ? await indexVcf(chunks, { ...options, format })
      : await indexTabix(chunks, { ...options, format, settings: preset });
  return [{ extension: isCsi ? '.csi' : '.tbi', bytes }];
}

async function indexBgzippedFasta(
  chunks: AsyncIterable<Uint8Array>,
  { pool, signal, onProgress }: IndexFileOptions,
): Promise<readonly FileIndex[]> {
  const fai = new FaiBuilder();
  const gzi = new GziBuilder();
  for await (const piece of pool.inflate(withProgress(chunks, onProgress), { gzi })) {
    signal?.throwIfAborted();
    fai.push(piece);
  }
  return [toFai(fai), { extension: '.gzi', bytes: formatGzi(gzi.finish()) }];
}

async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  onProgress: IndexFileOptions['onProgress'],
): AsyncGenerator<Uint8Array, void> {
  let bytesRead = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytesRead += chunk.length;
    onProgress?.(bytesRead);
  }
}

function toFai(fai: FaiBuilder): FileIndex {
  return { extension: '.fai', bytes: new TextEncoder().encode(formatFai(fai.finish())) };
}

/** A CSI index is compressed. */
function isBai(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42;
}
