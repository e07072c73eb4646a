import { createRandom } from '@htskit/testing';
import { Choices } from './choices.js';

/** The references of all files, by name. */
export const REFERENCES: ReadonlyMap<string, string> = new Map(
  [
    ['c1', 3000],
    ['HLA:1', 2500],
    ['é', 2000],
  ].map(([name, length], index) => {
    const choices = new Choices(createRandom(index));
    return [
      String(name),
      Array.from({ length: Number(length) }, () => choices.pick(['A', 'C', 'G', 'T', 'T', 'N'])).join(''),
    ];
  }),
);

/** A SAM file that is sorted by position. */
export interface SamFile {
  readonly text: string;
}

interface Read {
  readonly reference: number;
  readonly position: number;
  readonly columns: readonly string[];
}

const NAMES = Array.from(REFERENCES.keys());

/** Creates a SAM file with records of all kinds. */
export function createSam(choices: Choices): SamFile {
  const reads = choices.several(0, 6, (index) => createRead(choices, index));
  reads.sort((a, b) => a.reference - b.reference || a.position - b.position);
  const header = [
    `@HD\tVN:1.6\tSO:coordinate`,
    ...Array.from(REFERENCES, ([name, bases]) => `@SQ\tSN:${name}\tLN:${bases.length}`),
    '@RG\tID:a b\tSM:s',
    ...(choices.chance(0.3) ? ['@CO\té, "x"\ty'] : []),
  ];
  return { text: [...header, ...reads.map(({ columns }) => columns.join('\t'))].map((line) => `${line}\n`).join('') };
}

function createRead(choices: Choices, index: number): Read {
  const isUnmapped = choices.chance(0.15);
  const isPlaced = !isUnmapped || choices.chance(0.5);
  const reference = isPlaced ? choices.below(NAMES.length) : NAMES.length;
  const name = NAMES[reference] ?? '*';
  const bases = REFERENCES.get(name) ?? '';
  const position = isPlaced ? 1 + choices.below(bases.length - 1000) : 0;
  const cigar = isUnmapped ? '*' : createCigar(choices);
  const length = cigar === '*' ? choices.pick([0, 10]) : readLength(cigar);
  const hasBases = length > 0 && !choices.chance(0.1);
  const sequence = hasBases ? createBases(choices, { bases, position, length }) : '*';
  const qualities =
    hasBases && choices.chance(0.85)
      ? choices.several(length, length, () => choices.pick(['!', 'I', '~', '#'])).join('')
      : '*';
  const isPaired = choices.chance(0.4);
  const flags =
    (isUnmapped ? 4 : 0) +
    choices.pick([0, 16, 256, 512, 1024, 2048]) +
    (isPaired ? 1 + choices.pick([0, 2, 8, 32, 64, 128]) : 0);
  const mate = isPaired ? createMate(choices, name) : ['*', '0', '0'];
  const columns = [
    choices.chance(0.05) ? '*' : `r${choices.below(3)}.${isPaired ? 'p' : index}`,
    String(flags),
    name,
    String(position),
    choices.pick(['0', '60', '255']),
    cigar,
    ...mate,
    sequence,
    qualities,
    ...createTags(choices),
  ];
  if (cigar !== '*' && choices.chance(0.04) && hasBases) columns.push(...moveCigar(columns, length, choices));
  return { reference, position, columns };
}

function createMate(choices: Choices, name: string): string[] {
  if (choices.chance(0.2)) return ['*', '0', '0'];
  const mate = choices.chance(0.7) ? '=' : choices.pick(NAMES);
  return name === '*'
    ? ['*', '0', '0']
    : [mate === name ? '=' : mate, String(1 + choices.below(300)), choices.pick(['0', '100', '-100'])];
}

function createCigar(choices: Choices): string {
  const clip = (): string => choices.pick(['', '', '', '3S', '2H', '2H3S']);
  const middle = choices.several(0, choices.chance(0.05) ? 60 : 3, () => {
    const operation = choices.pick(['2I', '3D', '10N', '1P', '1D']);
    return `${operation}${1 + choices.below(5)}${choices.pick(['M', 'M', '=', 'X'])}`;
  });
  const end = clip();
  return `${clip()}${1 + choices.below(20)}M${middle.join('')}${end === '2H3S' ? '3S2H' : end}`;
}

function readLength(cigar: string): number {
  let length = 0;
  for (const [, count, operation] of cigar.matchAll(/(\d+)([MIS=X])/g))
    if (operation !== undefined) length += Number(count);
  return length;
}

/** Returns the bases of the reference, some of which differ. */
function createBases(
  choices: Choices,
  { bases, position, length }: { bases: string; position: number; length: number },
): string {
  return Array.from({ length }, (_, index) =>
    choices.chance(0.1) ? choices.pick(['A', 'C', 'G', 'T', 'N', 'R', '=']) : (bases[position - 1 + index] ?? 'A'),
  ).join('');
}

/** Moves the CIGAR of a record to the tag CG, and leaves its placeholder (SAMv1 §4.2.2). */
function moveCigar(columns: string[], length: number, choices: Choices): string[] {
  const cigar = columns[5] ?? '';
  const operations = Array.from(
    cigar.matchAll(/(\d+)([MIDNSHP=X])/g),
    ([, count, code = 'M']) => Number(count) * 16 + 'MIDNSHP=X'.indexOf(code),
  );
  let covered = 0;
  for (const [, count] of cigar.matchAll(/(\d+)[MDN=X]/g)) covered += Number(count);
  columns[5] = `${length}S${covered}N`;
  return [`CG:B:${choices.pick(['I', 'I', 'i'])},${operations.join(',')}`];
}

const TAGS = [
  'XA:A:!',
  'Xi:i:0',
  'Xi:i:-1',
  'Xi:i:255',
  'Xi:i:-32769',
  'Xi:i:4294967295',
  'Xf:f:1.5',
  'Xf:f:-1e-10',
  'Xf:f:nan',
  'XZ:Z:',
  'XZ:Z:a b é',
  'XH:H:1AE3',
  'Xc:B:c,-1,127',
  'XC:B:C,0,255',
  'Xs:B:s,-300',
  'XS:B:S',
  'XI:B:I,4294967295',
  'Xb:B:i,-5',
  'XF:B:f,0.5,-inf',
  'RG:Z:a b',
  'RG:Z:unknown',
  'NM:i:7',
  'MD:Z:5',
];

function createTags(choices: Choices): string[] {
  const tags = new Map(choices.several(0, 4, () => choices.pick(TAGS)).map((tag) => [tag.slice(0, 2), tag]));
  return Array.from(tags.values());
}
