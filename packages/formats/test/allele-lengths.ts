/** A record at POS 1000 whose end depends on the lengths of its alleles. */
export interface AlleleLengthCase {
  readonly ref: string;
  readonly alt: string;
  readonly info: string;
  readonly format?: string;
  readonly samples?: readonly string[];
  /** The last base in VCF 4.4 and later, 1-based: END of htslib 1.21 and later. */
  readonly last: number;
  /** The last base in earlier versions. */
  readonly lastBefore: number;
}

function site(ref: string, alt: string, info: string): Pick<AlleleLengthCase, 'ref' | 'alt' | 'info'> {
  return { ref, alt, info };
}

function block(
  alt: string,
  format: string,
  samples: readonly string[],
  info = '.',
): Omit<AlleleLengthCase, 'last' | 'lastBefore'> {
  return { ...site('A', alt, info), format, samples };
}

export const ALLELE_LENGTH_CASES: readonly AlleleLengthCase[] = [
  { ...site('A', '<DEL>', 'SVLEN=100'), last: 1100, lastBefore: 1000 },
  { ...site('A', '<DEL>', 'DP=5;SVLEN=-100;AF=0.5'), last: 1100, lastBefore: 1000 },
  { ...site('A', '<DUP>', 'SVLEN=30000'), last: 31_000, lastBefore: 1000 },
  { ...site('A', '<DUP:TANDEM>', 'SVLEN=40000'), last: 41_000, lastBefore: 1000 },
  { ...site('A', '<INV>', 'SVLEN=100'), last: 1100, lastBefore: 1000 },
  { ...site('A', '<CNV>', 'SVLEN=100'), last: 1100, lastBefore: 1000 },
  { ...site('A', '<CNV:TR>', 'SVLEN=100'), last: 1100, lastBefore: 1000 },
  { ...site('A', '<INS>', 'SVLEN=100'), last: 1000, lastBefore: 1000 },
  { ...site('A', '<INS:ME>', 'SVLEN=100;END=1010'), last: 1010, lastBefore: 1010 },
  { ...site('A', '<DELX>', 'SVLEN=100'), last: 1000, lastBefore: 1000 },
  { ...site('A', 'C', 'SVLEN=100'), last: 1000, lastBefore: 1000 },
  // One length for each allele
  { ...site('A', 'C,<DEL>', 'SVLEN=.,100'), last: 1100, lastBefore: 1000 },
  { ...site('A', 'C,<DEL>', 'SVLEN=100,.'), last: 1000, lastBefore: 1000 },
  { ...site('A', '<DEL>,<INS>', 'SVLEN=50,100'), last: 1050, lastBefore: 1000 },
  { ...site('A', '<DEL>,<DUP>', 'SVLEN=50,100'), last: 1100, lastBefore: 1000 },
  { ...site('A', '<DUP>,<DEL>', 'SVLEN=100,50'), last: 1100, lastBefore: 1000 },
  // The greatest of all ends
  { ...site('A', '<DEL>', 'SVLEN=100;END=1050'), last: 1100, lastBefore: 1050 },
  { ...site('A', '<DEL>', 'END=1500;SVLEN=100'), last: 1500, lastBefore: 1500 },
  { ...site('A', '<DEL>', 'SVLEN=.;END=1500'), last: 1500, lastBefore: 1500 },
  { ...site('ACGT', '<DEL>', 'SVLEN=2'), last: 1003, lastBefore: 1003 },
  { ...site('ACGT', '<DEL>', 'END=1001'), last: 1003, lastBefore: 1001 },
  // Blocks of reference calls
  { ...block('<*>', 'GT:LEN', ['0/0:100', '0/0:200']), last: 1199, lastBefore: 1000 },
  { ...block('<*>', 'LEN:GT', ['100:0/0', '.:0/0']), last: 1099, lastBefore: 1000 },
  { ...block('<*>', 'GT:DP:LEN', ['0/0:7:100', '0/0']), last: 1099, lastBefore: 1000 },
  { ...block('<*>', 'GT:FT:LEN', ['0/0:q10;s50:100', '0/0:PASS:50']), last: 1099, lastBefore: 1000 },
  { ...block('<*>', 'GT:LENX', ['0/0:100', '0/0:200']), last: 1000, lastBefore: 1000 },
  { ...block('<*>', 'GT:LEN', ['0/0:100', '0/0:.'], 'END=1500'), last: 1500, lastBefore: 1500 },
  { ...block('<NON_REF>', 'GT:LEN', ['0/0:100', '0/0:50']), last: 1099, lastBefore: 1000 },
  { ...block('C,<*>', 'GT:LEN', ['0/1:100', '0/0:50']), last: 1099, lastBefore: 1000 },
  { ...block('C', 'GT:LEN', ['0/1:100', '0/0:50']), last: 1000, lastBefore: 1000 },
  { ...block('<DEL>,<*>', 'GT:LEN', ['0/1:100', '0/0:50'], 'SVLEN=50,.'), last: 1099, lastBefore: 1000 },
  { ...block('<DEL>,<*>', 'GT:LEN', ['0/1:100', '0/0:50'], 'SVLEN=150,.'), last: 1150, lastBefore: 1000 },
];

/** The lines of a header that declares the keys of the cases, without line ends. */
export const ALLELE_LENGTH_HEADER: readonly string[] = [
  '##contig=<ID=chr1,length=1000000>',
  '##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">',
  '##INFO=<ID=AF,Number=A,Type=Float,Description="Frequency">',
  '##INFO=<ID=END,Number=1,Type=Integer,Description="End">',
  '##INFO=<ID=SVLEN,Number=A,Type=Integer,Description="Length">',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
  '##FORMAT=<ID=DP,Number=1,Type=Integer,Description="Depth">',
  '##FORMAT=<ID=FT,Number=1,Type=String,Description="Filter">',
  '##FORMAT=<ID=LEN,Number=1,Type=Integer,Description="Length of the block">',
  '##FORMAT=<ID=LENX,Number=1,Type=Integer,Description="Another length">',
  '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tA\tB',
];

/** Returns the line of a case, without line end. */
export function alleleLengthLine({
  ref,
  alt,
  info,
  format = 'GT',
  samples = ['0/1', '0/1'],
}: AlleleLengthCase): string {
  return ['chr1', 1000, '.', ref, alt, '.', '.', info, format, ...samples].join('\t');
}
