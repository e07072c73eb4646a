import { createRandom } from '@htskit/testing';

/** A SAM file and the FASTA file that it is aligned to. */
export interface RandomSam {
  readonly sam: string;
  readonly fasta: string;
}

export interface RandomSamOptions {
  readonly seed: number;
  readonly templates: number;
  /** Typical bases of a read. */
  readonly readLength: number;
  readonly isSorted: boolean;
}

type Draw = (limit: number) => number;

interface SamRecord {
  readonly name: string;
  flags: number;
  /** −1 for an unplaced record. */
  readonly reference: number;
  /** 0-based; −1 for an unplaced record. */
  readonly start: number;
  readonly end: number;
  readonly fields: readonly [mappingQuality: number, cigar: string];
  mate: string;
  readonly bases: string;
  readonly qualities: string;
  readonly tags: readonly string[];
}

const REFERENCES = [
  { name: 'one', length: 30_000 },
  { name: 'two', length: 8_000 },
  { name: 'three', length: 700 },
] as const;

/** Writes records of every kind that SAM allows, the same ones for the same seed. */
export function randomSam({ seed, templates, readLength, isSorted }: RandomSamOptions): RandomSam {
  const random = createRandom(seed);
  const draw: Draw = (limit) => Math.floor(random() * limit);
  const sequences = REFERENCES.map(({ length }) => randomSequence(draw, length));
  const records: SamRecord[] = [];
  for (let template = 0; template < templates; template++) {
    records.push(...randomTemplate(draw, { name: `t${template}:${draw(9)}/${draw(300)}`, sequences, readLength }));
  }
  if (isSorted) records.sort((a, b) => placeOf(a) - placeOf(b));
  const header = [
    `@HD\tVN:1.6\tSO:${isSorted ? 'coordinate' : 'unsorted'}`,
    ...REFERENCES.map(({ name, length }) => `@SQ\tSN:${name}\tLN:${length}`),
    '@RG\tID:first\tSM:a',
    '@RG\tID:second\tSM:b',
  ];
  const fasta = REFERENCES.map(({ name }, index) => `>${name}\n${sequences[index]?.replace(/.{60}/g, '$&\n')}\n`).join(
    '',
  );
  return { sam: `${[...header, ...records.map(toLine)].join('\n')}\n`, fasta };
}

function placeOf({ reference, start }: SamRecord): number {
  return reference < 0 ? Number.POSITIVE_INFINITY : reference * 1e6 + start;
}

/** Bases with runs of N, lower case and ambiguity codes. */
function randomSequence(draw: Draw, length: number): string {
  let sequence = '';
  while (sequence.length < length) {
    const kind = draw(60);
    if (kind === 0) sequence += 'N'.repeat(1 + draw(40));
    else if (kind === 1) sequence += 'RYKMSWBDHV'.charAt(draw(10));
    else {
      const bases = Array.from({ length: 1 + draw(50) }, () => 'ACGT'.charAt(draw(4))).join('');
      sequence += kind < 10 ? bases.toLowerCase() : bases;
    }
  }
  return sequence.slice(0, length);
}

interface TemplateParts {
  readonly name: string;
  readonly sequences: readonly string[];
  readonly readLength: number;
}

function randomTemplate(draw: Draw, parts: TemplateParts): SamRecord[] {
  const reference = draw(REFERENCES.length);
  const kind = draw(10);
  const placed = (flags: number, id = reference): SamRecord => randomRecord(draw, parts, flags, id);
  if (kind === 0) return [unplaced(draw, parts, 4)];
  if (kind === 1) return [placed(draw(2) * 16)];
  const first = placed(1 | 64 | (draw(2) * 16));
  if (kind === 2) return linked(draw, [first, unplacedMate(draw, parts, first)]);
  if (kind === 3) return linked(draw, [first, placed(1 | 128, draw(REFERENCES.length))]);
  if (kind === 4) return linked(draw, [first, placed(1), placed(1 | 128)]);
  if (kind === 5) return linked(draw, [unplaced(draw, parts, 1 | 4 | 8 | 64), unplaced(draw, parts, 1 | 4 | 8 | 128)]);
  const pair = linked(draw, [first, placed(1 | 128 | (draw(2) * 16))]);
  return kind === 6 ? [...pair, placed(1 | 64 | 2048 | (draw(2) * 256))] : pair;
}

/** Sets the mates of the records of a template. Some of them contradict what the other record says. */
function linked(draw: Draw, records: SamRecord[]): SamRecord[] {
  const start = Math.min(...records.map((record) => record.start));
  const end = Math.max(...records.map((record) => record.end));
  const isOneReference = records.every(({ reference }) => reference === records[0]?.reference && reference >= 0);
  const length = isOneReference && records.every(({ flags }) => (flags & 4) === 0) ? end - start : 0;
  for (const [index, record] of records.entries()) {
    const mate = records[(index + 1) % records.length] ?? record;
    if ((mate.flags & 4) !== 0) record.flags |= 8;
    if ((mate.flags & 16) !== 0) record.flags |= 32;
    const signed = record.start === start && (index === 0 || records[0]?.start !== start) ? length : -length;
    const name = mate.reference < 0 ? '*' : mate.reference === record.reference ? '=' : nameOf(mate.reference);
    record.mate = `${name}\t${mate.start + 1}\t${draw(12) === 0 ? draw(500) : signed}`;
  }
  return records;
}

function nameOf(reference: number): string {
  return REFERENCES[reference]?.name ?? '*';
}

function unplaced(draw: Draw, parts: TemplateParts, flags: number): SamRecord {
  const bases = randomBases(draw, draw(5) === 0 ? 0 : 1 + draw(parts.readLength));
  return { ...common(draw, parts, bases), flags, reference: -1, start: -1, end: 0, fields: [0, '*'] };
}

/** An unmapped record at the place of its mate. */
function unplacedMate(draw: Draw, parts: TemplateParts, mate: SamRecord): SamRecord {
  const record = unplaced(draw, parts, 1 | 4 | 128);
  return { ...record, reference: mate.reference, start: mate.start, end: mate.start + 1 };
}

function randomRecord(draw: Draw, parts: TemplateParts, flags: number, reference: number): SamRecord {
  const sequence = parts.sequences[reference] ?? '';
  const start = draw(sequence.length - 10);
  let position = start;
  let bases = '';
  let cigar = '';
  const add = (length: number, operation: string): void => {
    if (length > 0) cigar += `${length}${operation}`;
  };
  const addClip = (): void => {
    const clip = draw(4) === 0 ? 1 + draw(12) : 0;
    bases += randomBases(draw, clip);
    add(clip, 'S');
  };
  const hard = draw(10) === 0 ? 1 + draw(9) : 0;
  add(hard, 'H');
  addClip();
  const count = 1 + draw(2) * draw(8);
  for (let part = 0; part < count && position < sequence.length; part++) {
    const length = Math.min(1 + draw(Math.ceil(parts.readLength / count)), sequence.length - position);
    bases += mutated(draw, sequence.slice(position, position + length));
    add(length, 'M');
    position += length;
    if (part === count - 1) break;
    const kind = draw(4);
    const other = 1 + draw(draw(3) === 0 ? 40 : 3);
    if (kind === 0) {
      bases += randomBases(draw, other);
      add(other, 'I');
    } else if (position + other < sequence.length && kind < 3) {
      add(other, kind === 1 ? 'D' : 'N');
      position += other;
    } else {
      add(1, 'P');
      bases += randomBases(draw, 1);
      add(1, 'I');
    }
  }
  addClip();
  add(hard, 'H');
  const lacksBases = draw(15) === 0;
  const fields = [draw(61), cigar] as const;
  return { ...common(draw, parts, lacksBases ? '' : bases), flags, reference, start, end: position, fields };
}

function mutated(draw: Draw, reference: string): string {
  const rate = [1000, 50, 8][draw(3)] ?? 50;
  return reference.toUpperCase().replace(/./g, (base) => (draw(rate) === 0 ? 'ACGTNRY'.charAt(draw(7)) : base));
}

function randomBases(draw: Draw, length: number): string {
  return Array.from({ length }, () => 'ACGTN'.charAt(draw(41) % 5)).join('');
}

function common(
  draw: Draw,
  { name }: TemplateParts,
  bases: string,
): Pick<SamRecord, 'name' | 'mate' | 'bases' | 'qualities' | 'tags'> {
  const qualities =
    bases === '' || draw(8) === 0
      ? '*'
      : Array.from(bases, () => String.fromCharCode(33 + (draw(3) === 0 ? draw(42) : 37))).join('');
  return { name, mate: '*\t0\t0', bases: bases === '' ? '*' : bases, qualities, tags: randomTags(draw) };
}

const TAGS: readonly ((draw: Draw) => string)[] = [
  (draw) => `RG:Z:${draw(2) === 0 ? 'first' : 'second'}`,
  (draw) => `XA:A:${'xyz'.charAt(draw(3))}`,
  (draw) => `XI:i:${[5, -5, 300, -300, 70_000, -70_000, 4_000_000_000][draw(7)]}`,
  (draw) => `XF:f:${draw(100) / 8}`,
  (draw) => `XZ:Z:${'text with spaces '.slice(0, draw(18))}`,
  () => 'XH:H:1AE301',
  (draw) => `XB:B:${'cCsSiI'.charAt(draw(6))},${draw(100)},${draw(100)}`,
  (draw) => `XG:B:f,${draw(100) / 4}`,
  (draw) => `AS:i:${draw(150)}`,
  (draw) => `NM:i:${draw(9)}`,
  () => 'MD:Z:10A5^AC6',
  (draw) => `SA:Z:two,${draw(500)},+,10M,60,0;`,
];

function randomTags(draw: Draw): string[] {
  const rate = 2 + draw(8);
  return TAGS.filter(() => draw(rate) === 0).map((tag) => tag(draw));
}

function toLine({ name, flags, reference, start, fields, mate, bases, qualities, tags }: SamRecord): string {
  const [mappingQuality, cigar] = fields;
  return [name, flags, nameOf(reference), start + 1, mappingQuality, cigar, mate, bases, qualities, ...tags].join('\t');
}
