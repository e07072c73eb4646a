import type { RecordSource } from '../slice/record-head.js';
import { SliceDecoder, type SliceDecoderOptions } from './slice-records.js';

/** A slice, and the means of decoding its records. */
export interface DecodeSliceOptions extends Omit<SliceDecoderOptions, 'source' | 'isStubs' | 'capacity'> {
  /** Opens the slice at its first record. */
  readonly openSource: () => RecordSource;
}

/**
 * The records of a slice with at least this many uncompressed bytes are decoded in pieces. Slices of 10,000 short reads have
 * three million.
 */
const LONG_SLICE_BYTES = 12 * 2 ** 20;
/** Records of at least this many bytes are decoded in pieces in any case: qualities that are all equal take no bytes. */
const MAX_RECORD_BYTES = 24 * 2 ** 20;
/** Typical bytes of a BAM record, and of its start up to its name. */
const RECORD_BYTES = 400;
const STUB_BYTES = 100;
/** Bytes of memory for each record besides what it stores: its start, and what its mates need to know. */
const STATE_BYTES = 60;
/** The maximum number of bytes that are allocated because of a number of records. */
const MAX_FIRST_BYTES = 2 ** 24;

/**
 * Decodes the records of a slice to BAM records. Those of a long slice, such as one of 100,000 records, are decoded in pieces,
 * and the heads of all of them before: a record needs fields of its mate, which may be the last one. Throws `FormatError`.
 */
export function* decodeSlice({ openSource, ...options }: DecodeSliceOptions): Generator<Uint8Array, void> {
  const source = openSource();
  const { rawSize, header } = source.slice;
  // Records may take no bytes in the file.
  source.slice.hold(STATE_BYTES * header.recordCount);
  const stubBytes = Math.min(STUB_BYTES * header.recordCount, MAX_FIRST_BYTES);
  if (rawSize <= LONG_SLICE_BYTES) {
    const recordBytes = Math.min(RECORD_BYTES * header.recordCount, MAX_FIRST_BYTES);
    const capacity = options.intervals === undefined ? recordBytes : stubBytes;
    const records = new SliceDecoder({ ...options, source, capacity }).decode(MAX_RECORD_BYTES);
    if (records !== undefined) {
      yield records;
      return;
    }
  }
  const heads = new SliceDecoder({ ...options, source: openSource(), capacity: stubBytes, isStubs: true });
  const stubs = heads.decode();
  if (stubs !== undefined)
    yield* new SliceDecoder({ ...options, source: openSource(), capacity: 0 }).decodePieces(stubs);
}
