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
import { encodeText } from '@htskit/io';
import type { FileKind } from '../../stored-file/file-kind.js';

export interface IndexFileOptions {
  /** Write CSI in place of BAI or TBI. */
  readonly csi: boolean;
  /** The CSI `min_shift`; setting it implies CSI. */
  readonly minShift?: number;
  /** The columns of bgzipped text. Not needed for VCF. */
  readonly preset?: TabixFormat;
  /** Inflates the file. */
  readonly pool: BgzfPool;
  readonly signal?: AbortSignal;
  /** Called with the number of bytes that were read. */
  readonly onProgress?: (bytesRead: number) => void;
}

/** An index as it is stored, and its extension, which is appended to the name of the file. */
export interface WrittenIndex {
  readonly extension: '.bai' | '.csi' | '.tbi' | '.crai' | '.fai' | '.gzi';
  readonly bytes: Uint8Array;
}

/** Indexes the bytes of a file of one kind. */
type Indexer = (chunks: AsyncIterable<Uint8Array>, options: IndexFileOptions) => Promise<readonly WrittenIndex[]>;

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

/** Returns the extensions of the indexes for a kind of file. A BAM with references beyond 512 Mb gets CSI in place of BAI. */
export function indexExtensions(
  kind: FileKind,
  { csi, minShift }: Pick<IndexFileOptions, 'csi' | 'minShift'>,
): readonly WrittenIndex['extension'][] {
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
 * Creates the indexes of the bytes of a file. Throws Error for text that needs a preset, and the errors of `indexBam` and its
 * siblings.
 */
export async function indexFile(
  chunks: AsyncIterable<Uint8Array>,
  { kind, ...options }: IndexFileOptions & { readonly kind: FileKind },
): Promise<readonly WrittenIndex[]> {
  return INDEXERS[kind](chunks, options);
}

async function indexText(
  chunks: AsyncIterable<Uint8Array>,
  { csi, preset, ...options }: IndexFileOptions,
): Promise<readonly WrittenIndex[]> {
  if (preset === undefined) throw new Error('unknown kind of bgzipped text; use --preset to set its columns');
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
): Promise<readonly WrittenIndex[]> {
  const fai = new FaiBuilder();
  const gzi = new GziBuilder();
  for await (const piece of pool.inflate(withProgress(chunks, onProgress), { gzi, requireEof: true })) {
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

function toFai(fai: FaiBuilder): WrittenIndex {
  return { extension: '.fai', bytes: encodeText(formatFai(fai.finish())) };
}

/** A CSI index is compressed, so its magic is not at the start. */
function isBai(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42;
}
