import { type BorrowedBytes, peek } from '@htskit/io';
import { ByteWriter } from '../bytes/byte-writer.js';
import type { RecordRewriter } from '../records/record-rewriter.js';
import { type RecordLayout, RecordSplitter } from '../records/record-splitter.js';

/** Converts the records of uncompressed data that arrives in pieces cut anywhere to another format. */
export interface RecordConverter extends RecordRewriter {
  /** The header of the output, uncompressed. */
  readonly header: Uint8Array;
}

/** The records of one format, and how to convert them. */
export interface ConverterRules<View> extends RecordLayout<View> {
  readonly header: Uint8Array;
  /** Writes the record [at, end) in the other format. Throws `FormatError` if it is malformed. */
  readonly convert: (view: View, at: number, end: number, writer: ByteWriter) => void;
}

/** Creates a converter from the rules of one format. */
export function createRecordConverter<View>(rules: ConverterRules<View>): RecordConverter {
  const records = new RecordSplitter(rules);
  const writer = new ByteWriter(rules.limits?.memory);
  const take = (): BorrowedBytes[] => (writer.length === 0 ? [] : [writer.take()]);
  const { recordEnd, convert } = rules;
  return {
    header: rules.header,
    push(piece) {
      records.push(peek(piece), (_, view) => {
        let at = 0;
        for (let end = recordEnd(view, at); end !== undefined; end = recordEnd(view, at)) {
          convert(view, at, end, writer);
          at = end;
        }
        return at;
      });
      return take();
    },
    finish() {
      records.finish((record, view) => convert(view, 0, record.length, writer));
      return take();
    },
  };
}
