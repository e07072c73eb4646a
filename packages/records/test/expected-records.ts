import { createHash } from 'node:crypto';
import type { AlignmentRecord, VariantRecord } from '@htskit/formats';

/** Returns all values of an iterable. */
export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Returns the records as lines of SAM text. */
export async function samLines({
  header,
  records,
}: {
  readonly header: Parameters<AlignmentRecord['toSam']>[0];
  readonly records: AsyncIterable<AlignmentRecord>;
}): Promise<string[]> {
  return (await collect(records)).map((record) => record.toSam(header));
}

/** Returns the records as lines of VCF text. */
export async function vcfLines(records: AsyncIterable<VariantRecord>): Promise<string[]> {
  return (await collect(records)).map((record) => record.toVcf());
}

/** Returns the SHA-256 of lines, each of which ends with a line feed. */
export function sha256OfLines(lines: readonly string[]): string {
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
}
