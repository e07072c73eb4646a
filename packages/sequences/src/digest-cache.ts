import type { SourceStat } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import type { SequenceTableData } from './table/table-data.js';
import { formatTable, parseTable, type TableOrigin } from './table/table-format.js';

/**
 * Stores the digests and indexes of one file, so that reopening it does not read it again. The saved bytes begin with the size
 * and version of the file: a result for another state of the file is ignored and replaced.
 *
 * @example
 * const path = 'genome.fa.digests';
 * const digestCache: DigestCache = {
 *   load: () => readFile(path).catch(() => undefined),
 *   save: (chunks) => writeFile(path, chunks),
 *   onError: console.error,
 * };
 * const sequences = await openFasta({ data: fileSource('genome.fa'), digestCache });
 */
export interface DigestCache {
  /** A further version of the file, besides that of its source. */
  readonly version?: string;
  /** Returns the bytes that were saved last, or undefined if there are none. */
  load(): Promise<Uint8Array | undefined>;
  /** Saves bytes that arrive in pieces. */
  save(chunks: Iterable<Uint8Array>): Promise<void>;
  /** Called, with the cause, if loading or saving fails. The digests are then computed from the file. */
  onError(error: Error): void;
}

interface CachedComputation {
  /** State of the file. Nothing is cached for a source without versions. */
  readonly stat: SourceStat;
  /** Format of the file. */
  readonly kind: string;
  /** The columns of places that a table of this kind has. */
  readonly places: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly compute: () => Promise<SequenceTableData>;
}

/** Returns the saved result for this state of the file, otherwise computes and saves it. */
export async function loadOrCompute(
  cache: DigestCache | undefined,
  computation: CachedComputation,
): Promise<SequenceTableData> {
  const { stat, kind, compute } = computation;
  if (cache === undefined || stat.version === undefined) return compute();
  const version = cache.version === undefined ? stat.version : `${stat.version} ${cache.version}`;
  const origin = { kind, size: stat.size, version };
  const saved = await load(cache, origin, computation);
  if (saved !== undefined) return saved;
  const table = await compute();
  try {
    await cache.save(formatTable(table, origin));
  } catch (cause) {
    cache.onError(new Error('cannot save the digests', { cause }));
  }
  return table;
}

async function load(
  cache: DigestCache,
  origin: TableOrigin,
  { places, signal }: CachedComputation,
): Promise<SequenceTableData | undefined> {
  try {
    const bytes = await cache.load();
    const table = bytes && (await new TimeSlice(signal).run(parseTable(bytes, origin)));
    if (table === undefined) return undefined;
    const { indexes, lengths } = table;
    const isComplete = places.every((name) => table.places[name]?.length === lengths.length);
    if (indexes !== undefined && isComplete) return { ...table, indexes };
    throw new Error('columns are missing');
  } catch (cause) {
    signal?.throwIfAborted();
    cache.onError(new Error('cannot use the saved digests', { cause }));
    return undefined;
  }
}
