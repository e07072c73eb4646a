import type { Choices } from './choices.js';

const CONTIGS = ['c1', 'c2', 'HLA:1', 'a b', 'x', '1', 'é', 'chr10', 'c|3', '<n>'];
/** Names that only quotes make whole. */
const QUOTED_CONTIGS = ['c,d', 'e>'];
const KEYS = ['DP', 'AF', 'END', 'SVLEN', 'FL', 'S', 'GT', 'AD', 'LEN', 'N_2', 'X.y'];
const TYPES = ['Integer', 'Float', 'String', 'Character', 'Flag'];
const NUMBERS = ['0', '1', '2', 'A', 'R', 'G', '.'];
const ODD_TYPES = ['integer', '', '"Integer"', 'Long'];
const ODD_NUMBERS = ['-1', 'P', 'M', '"1"', '', 'x', '1x'];
const LENGTHS = ['1000', '2147483647'];
const ODD_LENGTHS = ['"1000"', '', '""', 'abc', '-5', '1e3', '0', '10x', ' 7'];
/** Lines that declare nothing, and lines that are malformed. */
const OTHER_LINES = [
  '##source=test',
  '##source=test',
  '##source="quoted"',
  '##a=b=c',
  '##META=<ID=Assay,Type=String,Number=.,Values=[WholeGenome, Exome]>',
  '##META=<ID=Assay,Type=String,Number=.,Values=[Other]>',
  '##ALT=<ID=DEL,Description="a, \\"b\\" and > c">',
  '##ALT=<ID=DEL,Description="again">',
  '##PEDIGREE=<Name_0=G0,Name_1=G1>',
  '##SAMPLE=<ID=x,Genomes="a;b">',
  '##fileformat=VCFv4.1',
  '##nothing',
  '##',
  '##=x',
  '##INFO=<Number=1,Type=Integer,Description="no id">',
  '##contig=<length=5>',
  '##contig=<ID=>',
  '##contig=c9',
  '##FILTER=<ID>',
  '##INFO=<ID=BAD,Number=1,Type=Integer,Desc ription="x">',
  '##INFO=<ID=BAD2,=1>',
  '##FILTER=<ID=q9,Description="junk after">x',
  '##X=<>',
  '##UNIT=<ID=u,Description="\\"">',
];

/** Lines for which htslib refuses a header. */
const REFUSED_LINES = ['#comment', '##X=<a=[b>'];

/** A VCF file, and the names that its records use. */
export interface VcfFile {
  readonly text: string;
  readonly contigs: readonly string[];
}

interface Declared {
  readonly name: string;
  readonly type: string;
  readonly number: string;
}

/** Keys whose declarations the specification gives, because they determine the ends of records. */
const RESERVED: readonly Declared[] = [
  { name: 'END', type: 'Integer', number: '1' },
  { name: 'SVLEN', type: 'Integer', number: 'A' },
  { name: 'LEN', type: 'Integer', number: '1' },
];

function isReserved(name: string): boolean {
  return RESERVED.some((key) => key.name === name);
}

/** Creates a VCF file whose header has odd lines and whose records have odd values. */
export function createVcf(choices: Choices): VcfFile {
  const version = choices.pick(['4.1', '4.2', '4.3', '4.4', '4.5']);
  const contigs = choices.several(1, 3, () => choices.pick(choices.chance(0.02) ? QUOTED_CONTIGS : CONTIGS));
  const info = choices.several(0, 4, () => createKey(choices));
  const format = choices.several(0, 3, () => createKey(choices));
  const filters = choices.several(0, 2, () => choices.pick(['q10', 's50', 'PASS', 'DP']));
  const lines = [
    ...contigs.map((name) => contigLine(choices, name)),
    ...info.map((key) => keyLine(choices, 'INFO', key)),
    ...format.map((key) => keyLine(choices, 'FORMAT', key)),
    ...filters.map((name) => `##FILTER=<ID=${name},Description="f">`),
    ...choices.several(0, 2, () => choices.pick(OTHER_LINES)),
    ...(choices.chance(0.03) ? [choices.pick(REFUSED_LINES)] : []),
  ];
  if (format.length > 0 && choices.chance(0.5)) {
    lines.push('##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">');
    format.push({ name: 'GT', type: 'String', number: '1' });
  }
  shuffle(choices, lines);
  const samples = choices.several(0, 3, (index) => `s${index}`);
  const columns = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples];
  const used = new Set(choices.chance(0.03) ? [...contigs, 'undeclared'] : contigs);
  const records = Array.from(used).flatMap((name) => {
    const positions = choices.several(0, 3, () => (choices.chance(0.05) ? 0 : 1 + choices.below(900)));
    positions.sort((a, b) => a - b);
    return positions.map((position) => createRecord(choices, { name, position, info, format, filters, samples }));
  });
  const end = choices.chance(0.1) ? '\r\n' : '\n';
  const header = [
    `##fileformat=VCFv${version}`,
    ...lines,
    columns.slice(0, samples.length === 0 ? 8 : undefined).join('\t'),
  ];
  return { text: [...header, ...records].map((line) => line + end).join(''), contigs: Array.from(used) };
}

function createKey(choices: Choices): Declared {
  const name = choices.pick(KEYS);
  const reserved = RESERVED.find((key) => key.name === name);
  if (reserved !== undefined) return reserved;
  return { name, type: choices.pick(TYPES), number: choices.pick(NUMBERS) };
}

function contigLine(choices: Choices, name: string): string {
  const id = choices.chance(0.05) || QUOTED_CONTIGS.includes(name) ? `"${name}"` : name;
  const entries = [`ID=${id}`];
  if (choices.chance(0.7)) entries.push(`length=${choices.pick(choices.chance(0.06) ? ODD_LENGTHS : LENGTHS)}`);
  if (choices.chance(0.05)) entries.push('ID=second');
  if (choices.chance(0.05)) entries.push('Length=9');
  if (choices.chance(0.1)) entries.push('assembly="x, y"');
  return finishLine(choices, 'contig', entries);
}

function keyLine(choices: Choices, kind: string, { name, type, number }: Declared): string {
  const entries = [
    `ID=${choices.chance(0.06) ? `"${name}"` : name}`,
    `Number=${choices.chance(0.08) ? choices.pick(ODD_NUMBERS) : number}`,
    `Type=${choices.chance(0.08) && !isReserved(name) ? choices.pick(ODD_TYPES) : type}`,
  ];
  if (choices.chance(0.05) && !isReserved(name)) entries.splice(1 + choices.below(2), 1);
  if (choices.chance(0.03)) entries.push('ID=second');
  if (choices.chance(0.03)) entries.push('Type=Integer');
  if (choices.chance(0.9)) entries.push('Description="a, b=c > d"');
  return finishLine(choices, kind, entries);
}

/** Joins entries, sometimes with spaces, without the last bracket, or with what follows it. */
function finishLine(choices: Choices, kind: string, entries: readonly string[]): string {
  const separator = choices.chance(0.05) ? ', ' : ',';
  const close = choices.chance(0.05) ? choices.pick(['', ' >', '>x', '> ', ',>']) : '>';
  return `##${kind}=<${entries.join(separator)}${close}`;
}

function shuffle(choices: Choices, lines: string[]): void {
  for (let index = lines.length - 1; index > 0; index--) {
    const other = choices.below(index + 1);
    [lines[index], lines[other]] = [lines[other] ?? '', lines[index] ?? ''];
  }
}

interface RecordParts {
  readonly name: string;
  readonly position: number;
  readonly info: readonly Declared[];
  readonly format: readonly Declared[];
  readonly filters: readonly string[];
  readonly samples: readonly string[];
}

const ALLELES = ['C', 'CT', 'G', '*', '<DEL>', '<DUP:TANDEM>', '<INS>', '<*>', '<NON_REF>', '<CNV>', 'C[c1:5['];

function createRecord(choices: Choices, { name, position, info, format, filters, samples }: RecordParts): string {
  const alternatives = choices.chance(0.1) ? '.' : choices.several(1, 3, () => choices.pick(ALLELES)).join(',');
  const fields = [
    name,
    String(position),
    choices.pick(['.', 'rs1', 'rs1;rs2']),
    choices.pick(['A', 'ACGT', 'N']),
    alternatives,
    choices.pick(['.', '30', '0', '1e3', '12.5', '99999.97', '-1']),
    choices.chance(0.3) && filters.length > 0
      ? choices.several(1, 2, () => choices.pick(filters)).join(';')
      : choices.pick(choices.chance(0.02) ? ['undeclared', 'PASS;'] : ['.', 'PASS']),
    createInfo(choices, info),
  ];
  if (samples.length > 0) fields.push(...createSamples(choices, format, samples.length));
  return fields.join('\t');
}

function createInfo(choices: Choices, keys: readonly Declared[]): string {
  if (keys.length === 0 || choices.chance(0.1)) return choices.chance(0.03) ? 'UNDECLARED=1' : '.';
  // Which of several values of a key determines the end of a record is nowhere defined.
  const isRepeated = (key: Declared, index: number, all: readonly Declared[]): boolean =>
    isReserved(key.name) && all.findIndex(({ name }) => name === key.name) < index;
  const chosen = choices.several(1, 3, () => choices.pick(keys));
  const used = chosen.filter((key, index) => !isRepeated(key, index, chosen));
  const entries = used.map((key) => {
    if (choices.chance(0.1) || (key.type === 'Flag' && choices.chance(0.9))) return key.name;
    return `${key.name}=${createValues(choices, key)}`;
  });
  return entries.join(choices.chance(0.03) ? ';;' : ';') + (choices.chance(0.03) ? ';' : '');
}

function createSamples(choices: Choices, keys: readonly Declared[], count: number): string[] {
  if (keys.length === 0) return ['.', ...Array.from({ length: count }, () => '.')];
  const chosen = choices.several(1, 3, () => choices.pick(keys));
  const unique = choices.chance(0.05) ? chosen : Array.from(new Map(chosen.map((key) => [key.name, key])).values());
  unique.sort((a, b) => Number(b.name === 'GT') - Number(a.name === 'GT'));
  const samples = Array.from({ length: count }, () => {
    const values = unique.map((key) => (key.name === 'GT' ? createGenotype(choices) : createValues(choices, key)));
    return values.slice(0, choices.chance(0.2) ? 1 + choices.below(values.length) : undefined).join(':');
  });
  return [unique.map(({ name }) => name).join(':'), ...samples];
}

const GENOTYPES = [
  '0/1',
  '0|1',
  './.',
  '.',
  '1',
  '0/1/1',
  '.|1',
  '10|2',
  '0/0|1',
  '|0',
  '/0|1',
  '|0/1',
  '|.',
  '/.',
  '.|.',
  '0',
  '1|1|1',
];
const ODD_GENOTYPES = ['', '0/', '0/x', '-1', '0//1', '/'];

function createGenotype(choices: Choices): string {
  return choices.pick(choices.chance(0.02) ? ODD_GENOTYPES : GENOTYPES);
}

const INTEGERS = [
  '0',
  '1',
  '-1',
  '100',
  '127',
  '128',
  '-120',
  '-121',
  '-128',
  '32767',
  '32768',
  '-32768',
  '2147483647',
  '-2147483640',
  '.',
];
const ODD_INTEGERS = ['', '2147483648', '-2147483648', '-2147483641', '1.5', 'x', '+3', '1e2', '007'];
const FLOATS = ['0', '0.5', '1e-5', '-3.25', '1e10', '.', 'nan', 'inf', '-inf', '123456.7', '0.1'];
/** Most of them are empty: other odd values are errors, and few files differ by nothing but an empty value. */
const ODD_FLOATS = [...Array.from({ length: 24 }, () => ''), 'x', '1e400', '.5', '5.', '+1', '1e', '-nan', '0x10'];
const TEXTS = ['a', 'bc', '.', 'x y', 'é', 'a%3Bb', 'T'];

const LENGTHS_OF_ALLELES = ['.', '0', '5', '-5', '100', '-32769'];

function createValues(choices: Choices, { name, type }: Declared): string {
  if (name === 'END' || name === 'LEN') return choices.pick(['.', '0', '5', '100', '600', '40000']);
  const odd = choices.chance(0.03);
  const value = (): string => {
    if (name === 'SVLEN') return choices.pick(LENGTHS_OF_ALLELES);
    if (type === 'Integer') return choices.pick(odd ? ODD_INTEGERS : INTEGERS);
    if (type === 'Float') return choices.pick(odd ? ODD_FLOATS : FLOATS);
    return choices.pick(TEXTS);
  };
  return choices.several(1, choices.chance(0.02) ? 20 : 3, value).join(',');
}
