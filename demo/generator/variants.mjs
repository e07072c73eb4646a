import { LENGTH, NAME } from './chromosome.mjs';

const HEADER = [
  '##fileformat=VCFv4.3',
  '##source=demo',
  '##FILTER=<ID=LowDepth,Description="Fewer than ten reads of all samples together">',
  `##contig=<ID=${NAME},length=${LENGTH}>`,
  '##ALT=<ID=DEL,Description="Deletion">',
  '##INFO=<ID=AC,Number=A,Type=Integer,Description="Number of alternate alleles in the genotypes">',
  '##INFO=<ID=AN,Number=1,Type=Integer,Description="Number of alleles in the genotypes">',
  '##INFO=<ID=DP,Number=1,Type=Integer,Description="Number of reads of all samples">',
  '##INFO=<ID=SVTYPE,Number=1,Type=String,Description="Type of a structural variant">',
  '##INFO=<ID=END,Number=1,Type=Integer,Description="Last base of the variant">',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype, phased by descent">',
  '##FORMAT=<ID=AD,Number=R,Type=Integer,Description="Number of reads with each allele">',
  '##FORMAT=<ID=DP,Number=1,Type=Integer,Description="Number of reads">',
  '##FORMAT=<ID=GQ,Number=1,Type=Integer,Description="Quality of the genotype, Phred-scaled">',
];
const COLUMNS = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT'];

/** Returns the variants that a member of the family has as VCF. `counts` are the reads with each allele, by member and variant. */
export function formatVcf({ variants, members }, counts) {
  const lines = variants.flatMap((variant, index) => {
    const genotypes = members.map(({ haplotypes }) => haplotypes.map((haplotype) => (haplotype.has(index) ? 1 : 0)));
    const alternates = genotypes.flat().reduce((sum, allele) => sum + allele, 0);
    if (alternates === 0) return [];
    const depths = members.map(({ name }) => counts.get(name)[index]);
    const depth = depths.flat().reduce((sum, reads) => sum + reads, 0);
    const { at, ref, alt, symbol, length } = variant;
    const info = [
      `AC=${alternates}`,
      `AN=${2 * members.length}`,
      `DP=${depth}`,
      ...(symbol === undefined ? [] : [`SVTYPE=${symbol}`, `END=${at + 1 + length}`]),
    ];
    const samples = genotypes.map((genotype, member) => formatSample(genotype, depths[member]));
    const quality = Math.min(2000, 30 * alternates + 12 * depth);
    const filter = depth < 10 ? 'LowDepth' : 'PASS';
    return [[NAME, at + 1, '.', ref, alt, quality, filter, info.join(';'), 'GT:AD:DP:GQ', ...samples].join('\t')];
  });
  const columns = [...COLUMNS, ...members.map(({ name }) => name)].join('\t');
  return `${[...HEADER, columns, ...lines].join('\n')}\n`;
}

function formatSample(genotype, [reference, alternate]) {
  const depth = reference + alternate;
  return [genotype.join('|'), `${reference},${alternate}`, depth, Math.min(99, 3 * depth)].join(':');
}
