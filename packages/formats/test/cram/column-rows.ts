import type { AlignmentColumnField, AlignmentColumns } from '../../src/bam/columns/alignment-columns.js';
import { BamColumns } from '../../src/bam/columns/bam-columns.js';
import { GrowingAlignments } from '../../src/bam/columns/growing-alignments.js';
import { createCramColumnDecoder } from '../../src/cram/column-decoder.js';
import type { CramDecoderOptions } from '../../src/index.js';
import { parseCramContainerHeader, parseCramHeader } from '../../src/index.js';

export interface ColumnRequest {
  readonly fields: readonly AlignmentColumnField[];
  readonly tags: readonly string[];
  readonly maxRecords: number;
  readonly maxBytes: number;
}

type Batch = AlignmentColumns<AlignmentColumnField, string>;

/** Decodes a CRAM file to columns. */
export async function cramColumns(
  bytes: Uint8Array,
  request: ColumnRequest,
  options: Omit<CramDecoderOptions, 'header'> = {},
): Promise<Batch[]> {
  const header = parseCramHeader(bytes);
  const columns = new GrowingAlignments<AlignmentColumnField, string>(request);
  const decoder = createCramColumnDecoder({ header, columns, ...request, ...options });
  const batches: Batch[] = [];
  for (let offset = header.byteLength; offset < bytes.length; ) {
    const container = parseCramContainerHeader(bytes.subarray(offset), { version: header.version, offset });
    if (container === undefined) throw new Error('the file is truncated');
    offset += container.headerLength;
    const blocks = bytes.subarray(offset, offset + container.length);
    for await (const _ of decoder.decode(blocks, { header: container, offset })) batches.push(columns.take());
    offset += container.length;
  }
  if (columns.length > 0) batches.push(columns.take());
  return batches;
}

/** Fills columns from BAM records. */
export function bamColumns(records: Uint8Array, request: ColumnRequest): Batch {
  const columns = new BamColumns({ ...request, maxRecords: 2 ** 31, maxBytes: 2 ** 31 });
  columns.append(records, 0);
  return columns.take();
}

/** Returns the values of each record of batches as text. */
export function rowsOf(batches: readonly Partial<Batch>[], { fields, tags }: ColumnRequest): string[] {
  return batches.flatMap((batch) =>
    Array.from({ length: batch.length ?? 0 }, (_, row) => {
      const values = fields.map((field) => `${field} ${valueAt(batch[field], row)}`);
      return [...values, ...tags.map((tag) => `${tag} ${valueAt(batch.tags?.[tag], row)}`)].join('\n');
    }),
  );
}

/** The parts of columns of all kinds. */
interface AnyColumn {
  readonly offsets?: Int32Array;
  readonly validity?: Uint8Array;
  readonly values?: ArrayLike<number>;
}

function valueAt(column: unknown, row: number): string {
  if (column === undefined) return 'none';
  if (ArrayBuffer.isView(column)) return String((column as unknown as ArrayLike<number>)[row]);
  const { offsets, validity, values, ...rest } = column as AnyColumn;
  if (validity !== undefined && (((validity[row >> 3] ?? 0) >> (row % 8)) & 1) === 0) return 'none';
  if (offsets === undefined) return String(values?.[row]);
  const [start, end] = [offsets[row] ?? 0, offsets[row + 1] ?? 0];
  const lists = values === undefined ? Object.entries(rest) : [['', values] as const];
  return lists.map(([name, list]) => `${name}${(list as Uint8Array).subarray(start, end).join()}`).join(' ');
}
