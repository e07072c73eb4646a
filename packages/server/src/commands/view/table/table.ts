import type { ArrowInput, ArrowOptions } from '@htskit/records/arrow';

/** Columns of reads or of variants. */
export type TableBatch = ArrowInput;

/** Records as a table. All batches have the same columns, of the same types. */
export interface Table {
  /** The name of the rows. */
  readonly name: string;
  /** At least one, which may have no rows. */
  readonly batches: AsyncIterable<TableBatch>;
  /** The names of `referenceId`. */
  readonly references: NonNullable<ArrowOptions['references']>;
}
