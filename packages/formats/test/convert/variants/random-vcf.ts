import { createRandom } from '@htskit/testing';

const META = `##fileformat=VCFv4.3
##fileDate=20200101
##source="a program, with commas"
##source="a program, with commas"
##contig=<ID=chr1,length=248956422,assembly=b38>
##contig=<ID=chr2>
##contig=<ID=chr1,length=5>
##contig=<ID=HLA-A*01:01,length=3000>
##FILTER=<ID=q10,Description="Quality below 10, \\"quoted\\" text">
##FILTER=<ID=s50,Description="Less than 50% of samples">
##FILTER=<ID=malformed,Description="A space after the quote" >
##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">
##INFO=<ID=AF,Number=A,Type=Float,Description="Frequency">
##INFO=<ID=VI,Number=.,Type=Integer,Description="Integers">
##INFO=<ID=END,Number=1,Type=Integer,Description="End">
##INFO=<ID=DB,Number=0,Type=Flag,Description="Flag">
##INFO=<ID=CH,Number=1,Type=Character,Description="Character">
##INFO=<ID=ST,Number=.,Type=String,Description="Text, e.g. <DEL>",Source="x",Version="3">
##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">
##FORMAT=<ID=DP,Number=1,Type=Integer,Description="Depth">
##FORMAT=<ID=AD,Number=R,Type=Integer,Description="Depths">
##FORMAT=<ID=GL,Number=G,Type=Float,Description="Likelihoods">
##FORMAT=<ID=FT,Number=1,Type=String,Description="Filter">
##FORMAT=<ID=FC,Number=2,Type=Character,Description="Characters">
##ALT=<ID=DEL,Description="Deletion">
##META=<ID=Assay,Type=String,Number=.,Values=[WholeGenome, Exome]>
##SAMPLE=<ID=s1,Genomes=Germline;Tumor>
##malformed=<ID>
##reference=file:///genome.fa
`;

const SAMPLES = ['s1', 's 2', 's3'];

/** The header of `randomVcf`, with declarations that programs read differently if they do not read them as htslib does. */
export const RANDOM_HEADER = `${META}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${SAMPLES.join('\t')}\n`;

/** Returns VCF lines with values of all types and sizes, missing ones, and samples that lack their last values. */
export function randomVcf({ seed, count }: { readonly seed: number; readonly count: number }): string {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(...choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0];
  const some = (most: number, create: () => string): string[] => Array.from({ length: 1 + below(most) }, create);

  const integer = (): string =>
    String(
      oneOf(
        below(3),
        below(128),
        -below(121),
        below(40_000) - 20_000,
        below(2 ** 31),
        -below(2 ** 31 - 8),
        127,
        128,
        -120,
        -121,
        32_767,
        32_768,
        -32_760,
        -32_761,
      ),
    );
  const bits = new DataView(new ArrayBuffer(4));
  const anyFloat = (): number => {
    do bits.setUint32(0, below(2 ** 32));
    while (!Number.isFinite(bits.getFloat32(0)));
    return bits.getFloat32(0);
  };
  const float = (): string =>
    oneOf(
      () => String(below(1000)),
      () => (random() * 10 ** (below(14) - 7)).toPrecision(1 + below(9)),
      () => (below(2_000_000) + 0.5).toString(),
      () => anyFloat().toExponential(4),
      () => String(anyFloat()),
      () => oneOf('0', '-0', '1e-5', '.5', '5.', '1E3', 'nan', 'inf', '-inf', '0.00009999999', '999999.5', '1000000'),
    )();
  const missingOr = (create: () => string): string => (random() < 0.15 ? '.' : create());
  const text = (): string => some(20, () => oneOf('a', 'B', '7', '_', '%3B', '<', ',')).join('');
  const genotype = (): string => some(3, () => missingOr(() => String(below(3)))).join(oneOf('/', '|'));
  const mixed = (): string => `${missingOr(() => String(below(200)))}/${below(3)}|${below(2)}`;

  const INFO: readonly [() => string, ...(() => string)[]] = [
    () => `DP=${missingOr(integer)}`,
    () => `AF=${some(3, () => missingOr(float)).join(',')}`,
    () => `VI=${some(20, () => missingOr(integer)).join(',')}`,
    () => `END=${below(5000)}`,
    () => 'DB',
    () => 'DB=1',
    () => `CH=${oneOf('x', '.', '')}`,
    () => `ST=${text()}`,
    () => 'ST',
    () => '',
  ];
  const FORMAT: Readonly<Record<string, () => string>> = {
    GT: () => oneOf(genotype, mixed)(),
    DP: () => missingOr(integer),
    AD: () => some(4, () => missingOr(integer)).join(','),
    GL: () => some(4, () => missingOr(float)).join(','),
    FT: () => missingOr(text),
    FC: () => oneOf('a,b', '.', 'x'),
  };

  const line = (): string => {
    const others = Object.keys(FORMAT).filter((key) => key !== 'GT' && random() < 0.5);
    const keys = [...(random() < 0.8 || others.length === 0 ? ['GT'] : []), ...others];
    const samples = SAMPLES.map(() => {
      const values = keys.map((key) => FORMAT[key]?.() ?? '.');
      return values.slice(0, random() < 0.3 ? 1 + below(values.length) : values.length).join(':');
    });
    const columns = [
      oneOf('chr1', 'chr2', 'HLA-A*01:01'),
      String(oneOf(0, below(3000), below(2 ** 31 - 1))),
      oneOf('.', 'rs1', 'rs1;rs2'),
      oneOf('A', 'ACGT', 'N'.repeat(200)),
      oneOf('.', 'C', 'C,G', '<DEL>', '*', 'ACGTACGTACGTACGTACGT,T'),
      missingOr(float),
      oneOf('.', 'PASS', 'q10', 'q10;s50'),
      random() < 0.1 ? '.' : some(6, () => oneOf(...INFO)()).join(';'),
      keys.join(':'),
      ...samples,
    ];
    return random() < 0.05 ? [...columns.slice(0, 8), '.', ...SAMPLES.map(() => '.')].join('\t') : columns.join('\t');
  };
  return Array.from({ length: count }, () => `${line()}\n`).join('');
}
