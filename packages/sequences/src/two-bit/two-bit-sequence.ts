import type { TwoBitIndexEntry, TwoBitRecord } from '@htskit/formats';
import { toByteStream } from '@htskit/io';
import { checkBaseRange } from '../base-range.js';
import type { BaseRange, NamedSequence, SequenceMetadata } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import type { TwoBitFile } from './two-bit-file.js';

export interface TwoBitSequenceOptions {
  readonly file: TwoBitFile;
  readonly entry: TwoBitIndexEntry;
  readonly metadata: SequenceMetadata;
}

/** One sequence of a 2bit file, served from where it stands. Where its bases lie is read when it is first asked for. */
export function twoBitSequence({ file, entry, metadata }: TwoBitSequenceOptions): NamedSequence {
  let record: Promise<TwoBitRecord> | undefined;
  // Without the signal of a request: others may be waiting for the same.
  const loadRecord = (): Promise<TwoBitRecord> => {
    record ??= readRecord({ file, entry, metadata }).catch((error: unknown) => {
      record = undefined;
      throw error;
    });
    return record;
  };
  const streamBases = async function* (range: BaseRange, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    signal?.throwIfAborted();
    yield* file.streamBases(await loadRecord(), range, signal);
  };
  return {
    name: entry.name,
    metadata,
    async read(range, { signal } = {}) {
      checkBaseRange(range, metadata.length);
      signal?.throwIfAborted();
      if (range.start === range.end) return new Uint8Array(0);
      return file.readBases(await loadRecord(), range, signal);
    },
    stream(range, { signal } = {}) {
      checkBaseRange(range, metadata.length);
      return toByteStream(streamBases(range, signal));
    },
  };
}

async function readRecord({ file, entry, metadata }: TwoBitSequenceOptions): Promise<TwoBitRecord> {
  const record = await file.readRecord(entry);
  if (record.length === metadata.length) return record;
  throw new SequenceSourceError('DATA_MISMATCH', 'the 2bit file has changed since its digests were computed', {
    offset: entry.offset,
  });
}
