import type { ByteWriter } from '../../bytes/byte-writer.js';
import type { ByteSeries } from '../slice/buffered-series.js';
import type { RecordHead } from '../slice/record-head.js';
import type { AlignmentDecoder } from './alignment.js';
import type { RecordName } from './record-names.js';
import type { RecordTable } from './record-table.js';

/** A decoded record besides the fields that depend on its mates. It is overwritten by the next one. */
export interface DecodedRecord {
  /** Its index in the slice. */
  readonly record: number;
  readonly head: RecordHead;
  readonly alignment: AlignmentDecoder;
  readonly mappingQuality: number;
  /** The name, if it is known; empty if the record stores none. */
  readonly name: RecordName;
  /** The tags as BAM encodes them. */
  readonly tags: ByteWriter;
  /** The series that the qualities are read from or skipped in; undefined if the alignment has them. */
  readonly qualities: ByteSeries | undefined;
}

/** Takes the records of a slice: as BAM, or as columns. */
export interface RecordSink {
  /** Bytes of the records that were added and not taken. */
  readonly byteLength: number;
  /** Whether there are enough records for a piece or a batch. */
  readonly isFull: boolean;
  /** The number of records that it can take before those that are complete are taken from it. */
  readonly room: number;
  /** Adds a record. Its mates are known to `table` only if the records are decoded a second time. */
  add(decoded: DecodedRecord, table: RecordTable): void;
  /** Completes the records that were added since the last call, whose mates are known now. */
  complete(table: RecordTable): void;
}
