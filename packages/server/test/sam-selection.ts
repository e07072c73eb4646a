import type { FieldName, HtsgetQuery } from '@htskit/protocol';

/** The missing value of each SAM field (SAMv1 §1.4), in column order. */
const UNAVAILABLE: readonly (readonly [field: FieldName, value: string])[] = [
  ['QNAME', '*'],
  ['FLAG', '0'],
  ['RNAME', '*'],
  ['POS', '0'],
  ['MAPQ', '255'],
  ['CIGAR', '*'],
  ['RNEXT', '*'],
  ['PNEXT', '0'],
  ['TLEN', '0'],
  ['SEQ', '*'],
  ['QUAL', '*'],
];
const FLAG_COLUMN = 1;
const RNAME_COLUMN = 2;
const CIGAR_COLUMN = 5;
const RNEXT_COLUMN = 6;
const SEQ_COLUMN = 9;

const UNMAPPED = 0x4;

/** Returns a line of SAM with the requested fields and tags, and no others. */
export function selectSam(
  line: string,
  { fields, tags, notags = [] }: Pick<HtsgetQuery, 'fields' | 'tags' | 'notags'>,
): string {
  const columns = line.split('\t');
  const kept = new Set(fields ?? UNAVAILABLE.map(([field]) => field));
  // Qualities are of bases.
  if (kept.has('QUAL')) kept.add('SEQ');
  if (columns[RNEXT_COLUMN] === '=' && !kept.has('RNAME')) columns[RNEXT_COLUMN] = columns[RNAME_COLUMN] ?? '';
  const selected = UNAVAILABLE.map(([field, value], column) => (kept.has(field) ? columns[column] : value));
  if (!kept.has('FLAG') && selected[CIGAR_COLUMN] !== '*' && selected[SEQ_COLUMN] !== '*') {
    // Records whose CIGAR and SEQ do not match are refused by htslib, but for unmapped ones.
    selected[FLAG_COLUMN] = String(Number(columns[FLAG_COLUMN]) & UNMAPPED);
  }
  const selectedTags = columns.slice(UNAVAILABLE.length).filter((tag) => {
    const name = tag.slice(0, 2);
    return (tags?.includes(name) ?? true) && !notags.includes(name);
  });
  return [...selected, ...selectedTags].join('\t');
}
