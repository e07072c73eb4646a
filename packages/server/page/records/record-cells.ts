import type { AlignmentRecord, VcfVariantRecord } from '@htskit/formats';
import type { Cell } from '../dom.js';
import type { DecodedFile, PlacedRecord } from './decode-records.js';

/** The flags that the table names. */
const FLAG_NAMES = [
  ['isReverse', 'reverse'],
  ['isSecondary', 'secondary'],
  ['isSupplementary', 'supplementary'],
  ['isDuplicate', 'duplicate'],
  ['isQcFail', 'QC fail'],
  ['isUnmapped', 'unmapped'],
] as const;

/** The maximum number of samples whose genotypes have a column. */
const MOST_SAMPLES = 6;

/** Returns the titles of the cells; those that end with `#` are numeric. */
export function recordTitles(file: DecodedFile): readonly string[] {
  if (file.datatype === 'reads') {
    return ['Name', 'Position#', 'MAPQ#', 'CIGAR', 'Flags', 'Mate', 'TLEN#', 'NM#', 'Bases'];
  }
  return ['Position#', 'ID', 'REF', 'ALT', 'QUAL#', 'FILTER', 'INFO', ...file.samples.slice(0, MOST_SAMPLES)];
}

/** Decodes the cells of a record. */
export function recordCells(file: DecodedFile, record: PlacedRecord): Cell[] {
  return file.datatype === 'reads'
    ? alignmentCells(file.view(record), file.references)
    : variantCells(file.view(record));
}

function alignmentCells(record: AlignmentRecord, references: readonly { readonly name: string }[]): Cell[] {
  const flags = FLAG_NAMES.filter(([key]) => record[key]).map(([, name]) => name);
  const mismatches = record.tag('NM');
  return [
    record.name,
    record.start + 1,
    record.mappingQuality,
    record.cigarText,
    flags.join(', '),
    mateText(record, references),
    record.templateLength,
    typeof mismatches === 'number' ? mismatches : '',
    record.sequence,
  ];
}

function mateText(
  { referenceId, mateReferenceId, mateStart }: AlignmentRecord,
  references: readonly { readonly name: string }[],
): string {
  if (mateReferenceId < 0) return '';
  const mateName = mateReferenceId === referenceId ? '' : `${references[mateReferenceId]?.name}:`;
  return `${mateName}${(mateStart + 1).toLocaleString('en-US')}`;
}

function variantCells(record: VcfVariantRecord): Cell[] {
  const columns = record.toVcf().split('\t');
  const genotypes = columns.slice(9, 9 + MOST_SAMPLES).map((values) => values.split(':', 1)[0] ?? '');
  return [
    record.start + 1,
    record.id ?? '',
    record.ref,
    record.alt.join(', '),
    record.quality ?? '',
    record.filters?.join(', ') ?? '',
    columns[7] ?? '',
    ...genotypes,
  ];
}
