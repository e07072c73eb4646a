/** The samples of a matrix of genotypes, and the columns of a file that hold them. */
export interface SampleSelection {
  /** The samples of the matrix. */
  readonly count: number;
  /** The column of each sample of the matrix: its index in the header. */
  readonly columns: Int32Array;
  /** The sample of each column up to the last one that is needed; −1 for columns that are skipped. */
  readonly samples: Int32Array;
}

/** Returns the selection of columns, each of which is listed once. Default: all `sampleCount` of them. */
export function selectColumns(
  sampleCount: number,
  columns: readonly number[] = Array.from({ length: sampleCount }, (_, column) => column),
): SampleSelection {
  const samples = new Int32Array(columns.reduce((length, column) => Math.max(length, column + 1), 0)).fill(-1);
  for (const [sample, column] of columns.entries()) samples[column] = sample;
  return { count: columns.length, columns: Int32Array.from(columns), samples };
}
