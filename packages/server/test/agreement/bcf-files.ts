import type { Choices } from './choices.js';

/** A BCF file, and its header as text. */
export interface BcfFile {
  readonly bytes: Uint8Array;
  readonly text: string;
}

const [INT8, INT16, INT32, FLOAT, CHARACTER] = [1, 2, 3, 5, 7];
/** Bytes of an element of each type. */
const WIDTHS: Readonly<Record<number, number>> = {
  0: 0,
  [INT8]: 1,
  [INT16]: 2,
  [INT32]: 4,
  [FLOAT]: 4,
  [CHARACTER]: 1,
};
const FLOATS = [0, 1.5, -2.25, 1e10, 1e-5, Number.NaN, Number.POSITIVE_INFINITY];
const [FLOAT_MISSING, FLOAT_END] = [0x7f80_0001, 0x7f80_0002];

/** The strings of the header in the order of their numbers, with the types of the keys. */
const STRINGS = [
  ['PASS', ''],
  ['q10', ''],
  ['DP', 'Integer'],
  ['AF', 'Float'],
  ['S', 'String'],
  ['FL', 'Flag'],
  ['MQ', 'Integer'],
  ['GT', 'String'],
] as const;
const [GT, UNDECLARED] = [7, 9];
const KEYS = [2, 3, 4, 5, 6];

/** Creates a BCF file whose values are stored in any way that readers accept, and in some that they refuse. */
export function createBcf(choices: Choices): BcfFile {
  const samples = choices.several(0, 3, (index) => `s${index}`);
  const version = choices.pick(['4.2', '4.3', '4.4']);
  const number = (type: string): string => (type === 'Flag' ? '0' : choices.pick(['1', '2', '.']));
  const declared = STRINGS.slice(2).flatMap(([id, type], index) => {
    const kinds = id === 'GT' ? ['FORMAT'] : ['INFO', 'FORMAT'];
    const declaredType = id === 'GT' ? choices.pick(['String', 'String', 'Integer', 'Float']) : type;
    return kinds.map(
      (kind) => `##${kind}=<ID=${id},Number=${number(type)},Type=${declaredType},Description="x",IDX=${index + 2}>`,
    );
  });
  const text = [
    `##fileformat=VCFv${version}`,
    '##FILTER=<ID=PASS,Description="All filters passed",IDX=0>',
    '##FILTER=<ID=q10,Description="x",IDX=1>',
    ...declared,
    ...['a', 'b'].map((name, index) => `##contig=<ID=${name},IDX=${2 * index}>`),
    [
      '#CHROM',
      'POS',
      'ID',
      'REF',
      'ALT',
      'QUAL',
      'FILTER',
      'INFO',
      ...(samples.length > 0 ? ['FORMAT', ...samples] : []),
    ].join('\t'),
    '\0',
  ].join('\n');
  const encoded = new TextEncoder().encode(text);
  const records = choices.several(1, 4, () => createRecord(choices, samples.length, version));
  const bytes = [...Buffer.from('BCF\x02\x02', 'latin1'), ...uint32(encoded.length), ...encoded, ...records.flat()];
  const hex = records.map((record) => Buffer.from(record).toString('hex'));
  return { bytes: Uint8Array.from(bytes), text: `${text.slice(0, -1)}${hex.join('\n')}` };
}

function uint32(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff];
}

function float(value: number): number[] {
  return Array.from(new Uint8Array(Float32Array.of(value).buffer));
}

/** Returns the type byte, and the count that may follow it. */
function descriptor(choices: Choices, count: number, type: number): number[] {
  if (count < 15 && !choices.chance(0.02)) return [count * 16 + type];
  return choices.chance(0.2) ? [0xf0 + type, 0x12, count & 0xff, count >> 8] : [0xf0 + type, 0x11, count];
}

function text(choices: Choices, value: string): number[] {
  return [...descriptor(choices, value.length, CHARACTER), ...Buffer.from(value)];
}

function createRecord(choices: Choices, sampleCount: number, version: string): number[] {
  const alleles = choices.several(choices.chance(0.02) ? 0 : 1, 3, (index) =>
    choices.pick(index === 0 ? ['A', 'ACG'] : ['C', '<DEL>', '*']),
  );
  const info = choices.several(0, 3, () => [...key(choices, choices.pick(KEYS)), ...values(choices, 1)]);
  const keys = sampleCount === 0 ? [] : choices.several(0, 3, () => choices.pick(KEYS));
  const formatKeys = choices.chance(0.03) ? keys : Array.from(new Set(keys));
  const format = formatKeys.map((index) => [...key(choices, index), ...values(choices, sampleCount)]);
  if (sampleCount > 0 && choices.chance(0.7))
    format.unshift([...key(choices, GT), ...genotypes(choices, sampleCount, version)]);
  const shared = [
    ...uint32(choices.chance(0.02) ? 1 : choices.pick([0, 2])),
    ...uint32(choices.chance(0.05) ? -1 : choices.below(1000)),
    ...uint32(3 + choices.below(50)),
    ...(choices.chance(0.3) ? uint32(FLOAT_MISSING) : float(choices.pick([0, 30, 12.5, 99999.97]))),
    ...[info.length, 0, alleles.length, 0],
    ...uint32(sampleCount + format.length * 2 ** 24),
    ...text(choices, choices.pick(['', '.', 'rs1', 'rs1;rs2'])),
    ...alleles.flatMap((allele) => text(choices, allele)),
    ...filters(choices),
    ...info.flat(),
  ];
  const individual = format.flat();
  return [...uint32(shared.length), ...uint32(individual.length), ...shared, ...individual];
}

function key(choices: Choices, index: number): number[] {
  const stored = choices.chance(0.01) ? UNDECLARED : index;
  return choices.chance(0.05) ? [0x12, stored, 0] : [0x11, stored];
}

function filters(choices: Choices): number[] {
  return choices.pick([[0], [0x11, 0], [0x11, 1], [0x21, 0, 1], [0x12, 1, 0], [0x01], [0x07]]);
}

/** Returns the values of a key for some rows: of any type, missing, and ended early. */
function values(choices: Choices, rows: number): number[] {
  const type = choices.chance(0.02)
    ? choices.pick([4, 6, 0])
    : choices.pick([INT8, INT8, INT16, INT32, FLOAT, CHARACTER]);
  const count = choices.chance(0.05) ? 0 : choices.pick([1, 1, 2, 3, choices.chance(0.1) ? 20 : 1]);
  const elements = Array.from({ length: rows }, () => vector(choices, type, count)).flat();
  return [...descriptor(choices, count, count === 0 ? choices.pick([0, type]) : type), ...elements];
}

function vector(choices: Choices, type: number, count: number): number[] {
  const length = choices.chance(0.2) ? choices.below(count + 1) : count;
  const element = (index: number): number[] => {
    if (type === CHARACTER)
      return [index < length ? choices.pick([0x61, 0x2c, 0x2e, 0x62, 0x78, choices.chance(0.1) ? 7 : 0x79]) : 0];
    const isMissing = choices.chance(0.15);
    if (type === FLOAT) {
      if (index >= length) return uint32(FLOAT_END);
      return isMissing ? uint32(FLOAT_MISSING) : float(choices.pick(FLOATS));
    }
    const least = -(2 ** (8 * (WIDTHS[type] ?? 1) - 1));
    if (index >= length) return integer(least + 1, type);
    return integer(isMissing ? least : choices.pick([0, 1, -5, 100, least + 8, -least - 1]), type);
  };
  return Array.from({ length: count }, (_, index) => element(index)).flat();
}

function integer(value: number, type: number): number[] {
  return uint32(value).slice(0, WIDTHS[type] ?? 0);
}

/** Returns genotypes: alleles with phases, unknown and missing ones, and ended early. */
function genotypes(choices: Choices, rows: number, version: string): number[] {
  if (choices.chance(0.02))
    return [0x10 + choices.pick([FLOAT, CHARACTER]), ...Array.from({ length: 4 * rows }, () => 0x61)];
  const type = choices.pick([INT8, INT8, INT16, INT32]);
  const count = choices.pick([1, 2, 2, 2, 3]);
  const least = -(2 ** (8 * (WIDTHS[type] ?? 1) - 1));
  const row = (): number[] => {
    const length = choices.chance(0.3) ? choices.below(count + 1) : count;
    // Before 4.4, htslib 1.24 takes a missing first allele for the end of the genotype.
    const canBeMissing = (index: number): boolean => index > 0 || length < 2 || version === '4.4';
    const allele = (index: number): number =>
      canBeMissing(index) && choices.chance(0.1) ? least : choices.pick([0, 1, 2, 3, 4, 5, 22]);
    return Array.from({ length: count }, (_, index) =>
      integer(index < length ? allele(index) : least + 1, type),
    ).flat();
  };
  return [...descriptor(choices, count, type), ...Array.from({ length: rows }, row).flat()];
}
