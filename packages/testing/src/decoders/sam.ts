import type { DecodedBam, DecodedBamRecord } from './bam.js';

function toLine(record: DecodedBamRecord, references: DecodedBam['references']): string {
  const nameOf = (id: number): string => references[id]?.name ?? '*';
  const mate = record.mateReferenceId === record.referenceId && record.referenceId !== -1;
  const columns = [
    record.name,
    record.flag,
    nameOf(record.referenceId),
    record.position + 1,
    record.mappingQuality,
    record.cigar,
    mate ? '=' : nameOf(record.mateReferenceId),
    record.matePosition + 1,
    record.templateLength,
    record.bases,
    record.qualities,
    ...record.tags.map((tag) => tag.text),
  ];
  return `${columns.join('\t')}\n`;
}

/** Formats the records as `samtools view` does. Floats that need more than six digits may differ. */
export function toSamText({ records, references }: DecodedBam): string {
  return records.map((record) => toLine(record, references)).join('');
}
