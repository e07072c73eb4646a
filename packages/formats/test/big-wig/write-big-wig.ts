import { BigWig } from '@gmod/bbi';
import type { ByteSource } from '@htskit/io';
import { BigWigMemory, type BigWigReference, BigWigWriter } from '../../src/index.js';
import type { TestRun } from './expected-zoom.js';

/** Writes runs in batches of at most `batch` to memory, and returns the file. */
export async function writeBigWig(
  references: readonly BigWigReference[],
  runs: readonly TestRun[],
  batch = Infinity,
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BigWigMemory();
  const writer = new BigWigWriter(target, { references });
  for (let first = 0, end = 0; first < runs.length; first = end) {
    const referenceId = runs[first]?.referenceId ?? 0;
    while (end < runs.length && runs[end]?.referenceId === referenceId && end - first < batch) end++;
    const part = runs.slice(first, end);
    await writer.write({
      referenceId,
      length: part.length,
      start: part.map((run) => run.start),
      end: part.map((run) => run.end),
      value: part.map((run) => run.value),
    });
  }
  const size = await writer.finish();
  if (size !== target.bytes.length) throw new Error(`finish returned ${size} for ${target.bytes.length} bytes`);
  return target.bytes;
}

/** Returns a source of bytes in memory. */
export function toSource(bytes: Uint8Array): ByteSource {
  return {
    key: 'memory',
    stat: async () => ({ size: bytes.length }),
    read: async ({ start, end }) => bytes.slice(start, end),
    stream: () => {
      throw new Error('not streamed');
    },
  };
}

/** Opens a file in memory with the reader of JBrowse. */
export function openWithGmod(bytes: Uint8Array<ArrayBuffer>): BigWig {
  return new BigWig({
    filehandle: {
      read: async (length, position) => bytes.slice(position, position + length),
      readFile: (async () => bytes) as never,
      stat: async () => ({ size: bytes.length }),
      close: async () => undefined,
    },
  });
}

/** A run or a summary, as @gmod/bbi returns it. */
export interface GmodFeature {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** Summaries only. */
  readonly minScore?: number;
  readonly maxScore?: number;
}

/** Reads the whole of a reference: the runs if `reduction` is 0, or the summaries of the zoom level of this reduction. */
export async function readFeatures(
  bytes: Uint8Array<ArrayBuffer>,
  { name, length }: BigWigReference,
  reduction: number,
): Promise<readonly GmodFeature[]> {
  const options = reduction === 0 ? { scale: 1 } : { basesPerSpan: reduction / 2 };
  return (await openWithGmod(bytes).getFeatures(name, 0, length, options)) as GmodFeature[];
}
