import { CRAM_FLAG, RecordHead, type RecordSource } from '../slice/record-head.js';
import { RecordSkipper } from '../slice/record-spans.js';
import { resolveMates } from './mates.js';
import { RecordNames } from './record-names.js';
import type { RecordSink } from './record-sink.js';
import { RecordTable } from './record-table.js';
import { checkHead, SliceDecoder, type SliceOptions } from './slice-records.js';

/** A slice, and the means of decoding its records. */
export interface DecodeSliceOptions<Sink extends RecordSink = RecordSink> extends SliceOptions<Sink> {
  /** Opens the slice at its first record. */
  readonly openSource: () => RecordSource;
  /** The start of generated names. */
  readonly namePrefix: string;
}

/**
 * The records of a slice with at least this many uncompressed bytes are decoded in pieces. Slices of 10,000 short reads have
 * three million.
 */
const LONG_SLICE_BYTES = 12 * 2 ** 20;
/** Records of at least this many bytes are decoded in pieces in any case: qualities that are all equal take no bytes. */
const MAX_RECORD_BYTES = 24 * 2 ** 20;
/** Bytes of memory for each record besides what it stores: what its mates need to know. */
export const STATE_BYTES = 60;

/**
 * Decodes the records of a slice into a sink, which is yielded whenever its complete records are to be taken.
 *
 * A record needs fields of its mate, which may be the last one. The records of a long slice, such as one of 100,000 records, are
 * therefore decoded in pieces after the heads of all of them, unless none has its mate in the slice, and so are records without
 * names, which may have that of their mate.
 * Throws `FormatError`.
 */
export function* decodeSlice<Sink extends RecordSink>(options: DecodeSliceOptions<Sink>): Generator<Sink, void> {
  const { sink } = options;
  const source = options.openSource();
  const { slice, compression } = source;
  const { recordCount } = slice.header;
  // Records may take no bytes in the file.
  slice.hold(STATE_BYTES * recordCount);
  if (recordCount > sink.room) yield sink;
  const isNamed = compression.hasReadNames || !options.wanted.names;
  const isShort = slice.rawSize <= LONG_SLICE_BYTES && recordCount <= sink.room;
  const isIndependent = !isShort && !mayHaveMates(options.openSource());
  const canStart = isNamed && (isShort || isIndependent);
  const firstRecord = canStart ? yield* decodeOnce(options, source, isIndependent) : 0;
  if (firstRecord < recordCount) yield* decodeTwice(options, firstRecord);
  if (sink.byteLength > 0) yield sink;
}

/** Returns whether a record may depend on a later one. */
function mayHaveMates({ slice, series }: RecordSource): boolean {
  const { CF } = series.numbers;
  if (!CF.isSeparate) return true;
  for (let record = 0; record < slice.header.recordCount; record++) {
    if ((CF.read() & CRAM_FLAG.hasMateDownstream) !== 0) return true;
  }
  return false;
}

/**
 * Decodes the records at once, or in pieces if they do not depend on each other. Returns the first one that was not added: if one
 * has no name, or if the others are too large.
 */
function* decodeOnce<Sink extends RecordSink>(
  options: DecodeSliceOptions<Sink>,
  source: RecordSource,
  isIndependent: boolean,
): Generator<Sink, number> {
  const { sink } = options;
  const table = new RecordTable(source.slice);
  const pass = { source, table, isSecondPass: false, names: undefined, firstRecord: 0 };
  const decoder = new SliceDecoder(options, pass);
  for (let record = 0; record < table.recordCount; record++) {
    if (!decoder.decode(record)) return record;
    if (isIndependent && sink.isFull) {
      sink.complete(table);
      yield sink;
    } else if (sink.byteLength > MAX_RECORD_BYTES) return record + 1;
  }
  resolveMates(table);
  sink.complete(table);
  return table.recordCount;
}

/** Decodes the heads of the records, and then the records from `firstRecord` on. */
function* decodeTwice<Sink extends RecordSink>(
  options: DecodeSliceOptions<Sink>,
  firstRecord: number,
): Generator<Sink, void> {
  const { sink, references, namePrefix, wanted } = options;
  const { table, names } = readHeads({ references, namePrefix, keepsNames: wanted.names }, options.openSource());
  const pass = { source: options.openSource(), table, isSecondPass: true, names, firstRecord };
  const decoder = new SliceDecoder(options, pass);
  for (let record = 0; record < table.recordCount; record++) {
    decoder.decode(record);
    if (!sink.isFull) continue;
    sink.complete(table);
    yield sink;
  }
  sink.complete(table);
}

/** How the heads of the records of a slice are decoded. */
export interface HeadOptions extends Pick<DecodeSliceOptions, 'references' | 'namePrefix'> {
  /** Whether names are kept, for records that have that of their mate. */
  readonly keepsNames: boolean;
  /** Called before each record. */
  readonly visit?: (record: number) => void;
}

/** The heads of the records of a slice, as far as their mates need them. */
export interface SliceHeads {
  readonly table: RecordTable;
  readonly names: RecordNames | undefined;
  /** Whether a record stores no name. */
  readonly lacksNames: boolean;
}

/** Decodes the heads of all records. Throws `FormatError`. */
export function readHeads(
  { references, namePrefix, keepsNames, visit }: HeadOptions,
  source: RecordSource,
): SliceHeads {
  const table = new RecordTable(source.slice);
  const names = keepsNames ? new RecordNames(source, namePrefix) : undefined;
  let lacksNames = false;
  const head = new RecordHead(source);
  const skipper = new RecordSkipper(source);
  for (let record = 0; record < table.recordCount; record++) {
    visit?.(record);
    head.next();
    checkHead(head, references, source);
    names?.keep(record, head);
    lacksNames ||= head.nameLength <= 0;
    table.set(record, head);
    table.lasts[record] = skipper.skip(head);
  }
  resolveMates(table);
  return { table, names, lacksNames };
}
