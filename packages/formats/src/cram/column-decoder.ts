import { ContainerDecoder, type CramDecodeInput, type CramDecoderOptions } from './container-decoder.js';
import { planColumns } from './output/column-plan.js';
import { ColumnSink, type ColumnTarget } from './output/column-sink.js';

/** The columns that the records of a CRAM file are appended to. */
export interface CramColumnsOptions extends CramDecoderOptions {
  readonly columns: ColumnTarget;
  /** The maximum number of records of a batch. */
  readonly maxRecords: number;
  /** Bytes of records from which on a batch is full. A batch has one record at least. */
  readonly maxBytes: number;
}

/** Decodes the records of a CRAM file to columns. */
export interface CramColumnDecoder {
  /**
   * Appends the records of a container to the columns, and yields whenever they have as many records or bytes as a batch may
   * have: the caller then takes them. `blocks` are the bytes that follow the container header. Throws what `CramDecoder.decode`
   * throws.
   */
  decode(blocks: Uint8Array, input: CramDecodeInput): AsyncGenerator<void, void>;
}

/**
 * Creates a decoder of CRAM 2.0 to 3.1 to columns. It decodes only the data series that the columns need: bases of the reference
 * are fetched for `sequence`, `mismatches`, NM and MD only. Mismatches are those of the features of the records; those of slices that
 * were written without a reference are those of MD.
 */
export function createCramColumnDecoder(options: CramColumnsOptions): CramColumnDecoder {
  const { columns, generateMismatchTags = true, intervals } = options;
  const containers = new ContainerDecoder(options);
  const request = { columns, generateMismatchTags, hasIntervals: intervals !== undefined };
  return {
    async *decode(blocks, input) {
      const sinks = containers.decode(blocks, input, {
        plan: (compression) => planColumns(compression, request),
        createSink: (slice, { needsReference }) => new ColumnSink(slice, { ...options, hasReference: needsReference }),
      });
      for await (const sink of sinks) if (sink.isFull) yield;
    },
  };
}
