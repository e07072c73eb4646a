import type { BamSelection } from '../../src/index.js';
import { FIELDS } from './model-record.js';

/** The value of each column for a field that is not available (SAMv1 §1.4). */
const MISSING = ['*', '0', '*', '0', '255', '*', '*', '0', '0', '*', '*'];
/** The most operations that the CIGAR field of a BAM record can hold. */
const MAX_OPERATIONS = 65_535;
const UNMAPPED = 4;

/** Rewrites a SAM line with a selection, as samtools would print the rewritten record. */
export function rewriteSam(line: string, { fields = FIELDS, tags, notags = [] }: BamSelection): string {
  const columns = line.split('\t');
  const was = (field: (typeof FIELDS)[number]): string => columns[FIELDS.indexOf(field)] ?? '';
  const kept = FIELDS.map((field, column) => {
    const isKept = fields.includes(field) || (field === 'SEQ' && fields.includes('QUAL'));
    const value = field === 'RNEXT' && was(field) === '=' ? was('RNAME') : columns[column];
    return (isKept ? value : MISSING[column]) ?? '';
  });
  const keptTags = columns.slice(FIELDS.length).filter((tag) => {
    const name = tag.slice(0, 2);
    return (tags === undefined || tags.includes(name)) && !notags.includes(name);
  });
  const [, , rname = '', pos, , cigar = '', rnext, , , seq = ''] = kept;
  if (!fields.includes('FLAG') && cigar !== '*' && seq !== '*') kept[1] = String(Number(was('FLAG')) & UNMAPPED);
  if (rnext === rname && rname !== '*') kept[6] = '=';
  // htslib leaves a long CIGAR in its tag if the record has no position.
  if ((rname === '*' || pos === '0') && operationsOf(cigar).length > MAX_OPERATIONS) {
    kept[5] = `${seq === '*' ? 0 : seq.length}S${referenceLength(cigar)}N`;
    keptTags.push(`CG:B:I,${operationsOf(cigar).map(encodeOperation).join(',')}`);
  }
  return [...kept, ...keptTags].join('\t');
}

function operationsOf(cigar: string): string[] {
  return cigar.match(/\d+[MIDNSHP=X]/g) ?? [];
}

function encodeOperation(operation: string): number {
  return Number.parseInt(operation, 10) * 16 + 'MIDNSHP=X'.indexOf(operation.slice(-1));
}

function referenceLength(cigar: string): number {
  const covering = operationsOf(cigar).filter((operation) => 'MDN=X'.includes(operation.slice(-1)));
  return covering.reduce((sum, operation) => sum + Number.parseInt(operation, 10), 0);
}
