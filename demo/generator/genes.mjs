import { LENGTH, NAME } from './chromosome.mjs';

/** Genes with the exons of one transcript: 0-based, half-open. The names are invented. */
const GENES = [
  {
    name: 'DEMO1',
    strand: '+',
    exons: [
      [6200, 6480],
      [8100, 8240],
      [9900, 10_120],
      [12_300, 13_050],
    ],
  },
  {
    name: 'DEMO2',
    strand: '-',
    exons: [
      [19_400, 20_300],
      [22_050, 22_190],
      [24_600, 24_830],
    ],
  },
  {
    name: 'DEMO3',
    strand: '+',
    exons: [
      [31_000, 31_350],
      [33_200, 33_330],
      [34_100, 34_260],
      [36_800, 36_930],
      [39_500, 40_400],
    ],
  },
  {
    name: 'DEMO4',
    strand: '-',
    exons: [
      [47_200, 47_900],
      [50_300, 50_500],
      [53_000, 53_260],
    ],
  },
];

/** Bases of the first and the last exon that are not translated. */
const UNTRANSLATED = 90;

/** Returns the genes, each with its span and the span of its coding part. */
export function createGenes() {
  return GENES.map((gene) => {
    const [start, end] = [gene.exons[0][0], gene.exons.at(-1)[1]];
    return { ...gene, start, end, coding: [start + UNTRANSLATED, end - UNTRANSLATED] };
  });
}

/** Returns the genes as GFF3, sorted by position. */
export function formatGff(genes) {
  const rows = genes.flatMap(({ name, strand, exons, start, end, coding }) => {
    const row = (type, [from, to], phase, attributes) =>
      [NAME, 'demo', type, from + 1, to, '.', strand, phase, attributes].join('\t');
    const id = name.toLowerCase();
    return [
      row('gene', [start, end], '.', `ID=${id};Name=${name};gene_name=${name}`),
      row('mRNA', [start, end], '.', `ID=${id}.1;Parent=${id};Name=${name}`),
      ...exons.flatMap(([from, to], index) => {
        const coded = [Math.max(from, coding[0]), Math.min(to, coding[1])];
        return [
          row('exon', [from, to], '.', `ID=${id}.1.exon${index + 1};Parent=${id}.1`),
          ...(coded[0] < coded[1] ? [row('CDS', coded, 0, `ID=${id}.1.cds;Parent=${id}.1`)] : []),
        ];
      }),
    ];
  });
  const sorted = rows.toSorted((a, b) => Number(a.split('\t')[3]) - Number(b.split('\t')[3]));
  return ['##gff-version 3', `##sequence-region ${NAME} 1 ${LENGTH}`, ...sorted, ''].join('\n');
}
