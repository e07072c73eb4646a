import type { SliceReference } from '../reference/slice-reference.js';
import { RecordHead, type RecordSource } from '../slice/record-head.js';
import { RecordSkipper } from '../slice/record-spans.js';
import { resolveMates } from './mates.js';
import { RecordNames } from './record-names.js';
import type { RecordSink } from './record-sink.js';
import { RecordTable } from './record-table.js';
import { checkHead, type RecordOptions, SliceDecoder } from './slice-records.js';

/** A slice, and the means of decoding its records. */
export interface DecodeSliceOptions<Sink extends RecordSink> extends RecordOptions {
  /** Opens the slice at its first record. */
  readonly openSource: () => RecordSource;
  readonly reference: SliceReference;
  /** The start of generated names. */
  readonly namePrefix: string;
  /** Creates what takes the records, which the slice has yet to be decoded into. */
  readonly createSink: () => Sink;
}

/**
 * The records of a slice with at least this many uncompressed bytes are decoded in pieces. Slices of 10,000 short reads have
 * three million.
 */
const LONG_SLICE_BYTES = 12 * 2 ** 20;
/** Records of at least this many bytes are decoded in pieces in any case: qualities that are all equal take no bytes. */
const MAX_RECORD_BYTES = 24 * 2 ** 20;
/** Bytes of memory for each record besides what it stores: what its mates need to know. */
const STATE_BYTES = 60;

/** A new piece begins after at least this many bytes. */
export const PIECE_BYTES: number = 2 ** 20;

/**
 * Decodes the records of a slice into a sink, which is yielded whenever it has complete records that are to be taken.
 *
 * A record needs fields of its mate, which may be the last one. The records of a long slice, such as one of 100,000 records, are
 * therefore decoded in pieces after the heads of all of them, and so are records without names, which may have that of their mate.
 * Throws `FormatError`.
 */
export function* decodeSlice<Sink extends RecordSink>(options: DecodeSliceOptions<Sink>): Generator<Sink, void> {
  const source = options.openSource();
  const { slice, compression } = source;
  const isLong = slice.rawSize > LONG_SLICE_BYTES;
  // Records may take no bytes in the file.
  slice.hold(STATE_BYTES * slice.header.recordCount);
  const sink = isLong || !compression.hasReadNames ? undefined : decodeOnce(options, source);
  if (sink !== undefined) yield sink;
  else yield* decodeTwice(options);
}

/** Decodes the records at once. Returns undefined if they are too large for that, or if one of them has no name. */
function decodeOnce<Sink extends RecordSink>(
  options: DecodeSliceOptions<Sink>,
  source: RecordSource,
): Sink | undefined {
  const sink = options.createSink();
  const table = new RecordTable(source.slice);
  const decoder = new SliceDecoder({ ...options, source, sink, table });
  for (let record = 0; record < table.recordCount; record++) {
    const isKept = decoder.decode(record);
    if (isKept && decoder.name.nameLength === 0) return undefined;
    if (sink.byteLength > MAX_RECORD_BYTES) return undefined;
  }
  resolveMates(table);
  sink.complete(table);
  return sink;
}

/** Decodes the heads of the records, and then the records. */
function* decodeTwice<Sink extends RecordSink>(options: DecodeSliceOptions<Sink>): Generator<Sink, void> {
  const { table, names } = readHeads(options, options.openSource());
  const sink = options.createSink();
  const decoder = new SliceDecoder({ ...options, source: options.openSource(), sink, table, names });
  for (let record = 0; record < table.recordCount; record++) {
    decoder.decode(record);
    if (sink.byteLength < PIECE_BYTES) continue;
    sink.complete(table);
    yield sink;
  }
  sink.complete(table);
  yield sink;
}

/** Decodes what records need to know of their mates. */
function readHeads(
  options: Pick<DecodeSliceOptions<RecordSink>, 'references' | 'namePrefix'>,
  source: RecordSource,
): { readonly table: RecordTable; readonly names: RecordNames } {
  const table = new RecordTable(source.slice);
  const names = new RecordNames(source, options.namePrefix);
  const head = new RecordHead(source);
  const skipper = new RecordSkipper(source);
  for (let record = 0; record < table.recordCount; record++) {
    head.next();
    checkHead(head, { ...options, source });
    names.keep(record, head);
    table.set(record, head);
    table.lasts[record] = skipper.skip(head);
  }
  resolveMates(table);
  return { table, names };
}
