import { BAI, CSI } from '@gmod/bam';
import { TBI, CSI as TextCsi } from '@gmod/tabix';
import { deflateBlocks } from '@htskit/bgzf';
import type { BinningIndex, Chunk, RegionQuery } from '../../src/index.js';

/** The chunks that @gmod returns for a region. */
export type GmodChunks = (query: RegionQuery) => Promise<Chunk[]>;

/** Opens an index with @gmod/tabix if it is of a text file, otherwise with @gmod/bam. */
export function openWithGmod(bytes: Uint8Array, { format, tabix }: BinningIndex): GmodChunks {
  // @gmod requires CSI and TBI to be compressed.
  const filehandle = filehandleOf(format === 'BAI' || bytes[0] === 0x1f ? bytes : deflateBlocks(bytes));
  if (tabix === undefined) {
    const index = format === 'BAI' ? new BAI({ filehandle }) : new CSI({ filehandle });
    return async ({ referenceId, start, end }) => toChunks(await index.blocksForRange(referenceId, start, end));
  }
  const index = format === 'TBI' ? new TBI({ filehandle }) : new TextCsi({ filehandle });
  return async ({ referenceId, start, end }) =>
    toChunks(await index.blocksForRange(tabix.names[referenceId] ?? '', start, end));
}

type Filehandle = ConstructorParameters<typeof BAI>[0]['filehandle'];

/** Serves the whole index to @gmod. */
function filehandleOf(bytes: Uint8Array): Filehandle {
  const refuse = (): never => {
    throw new Error('only whole files are read');
  };
  return { readFile: () => Promise.resolve(bytes), read: refuse, stat: refuse, close: refuse } as unknown as Filehandle;
}

interface GmodOffset {
  readonly blockPosition: number;
  readonly dataPosition: number;
}

function toChunks(chunks: readonly { readonly minv: GmodOffset; readonly maxv: GmodOffset }[]): Chunk[] {
  return chunks.map(({ minv, maxv }) => ({ start: toVirtualOffset(minv), end: toVirtualOffset(maxv) }));
}

function toVirtualOffset({ blockPosition, dataPosition }: GmodOffset): Chunk['start'] {
  return { coffset: blockPosition, uoffset: dataPosition };
}
