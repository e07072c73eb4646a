import type { Choices } from './choices.js';

/** A BED or GFF file, and the part of it that tabix can read. */
export interface LineFile {
  readonly text: string;
  /** The text without lines that are not records, which tabix 1.24 refuses. */
  readonly plainText: string;
  readonly regions: readonly LineRegion[];
}

export interface LineRegion {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
}

const NAMES = ['c1', 'c2', 'HLA:1', 'a b', 'é', '1', 'track', 'browser', 'tracks'];
const COMMENTS = ['#comment', '##', '#gff', '###'];
const OTHER_LINES = ['', 'track name="x y" description="d"', 'browser position c1:1-5', 'track', 'browser hide all'];
/** After one of these, a GFF file has only sequences. */
const SEQUENCES = ['##FASTA\n>c1\nACGT\nc1\ta\tb\tx\ty\n', '>c1\nACGT\n\n>c2\nAC\n', '##FASTA\n'];

export function createBed(choices: Choices): LineFile {
  return createLines(choices, {
    record: (name, start, end) => {
      const more = choices.pick([[], ['name'], ['name', '0', '+'], ['', 'é']]);
      const isShort = choices.chance(0.03);
      return [name, start, ...(isShort ? [] : [end, ...more])].join('\t');
    },
    sequences: [],
    bad: ['c1', 'c1\tx\t5', 'c1 1 5', 'c1\t\t5', '\t1\t5', 'c1\t5\t2', 'c1\t1\tx'],
  });
}

export function createGff(choices: Choices): LineFile {
  return createLines(choices, {
    record: (name, start, end) =>
      [name, 'src', 'gene', start + 1, end, '.', choices.pick(['+', '-', '.']), '.', 'ID=g;Note=a b'].join('\t'),
    sequences: SEQUENCES,
    bad: ['c1', 'c1\ta\tb\tx\t5\t.\t.\t.\t.', 'c1\ta\tb\t5\tx\t.\t.\t.\t.', 'c1\ta\tb\t\t5', 'c1\ta\tb\t5\t2\t.'],
  });
}

interface Form {
  /** Returns the line of an interval, 0-based and half-open. */
  readonly record: (name: string, start: number, end: number) => string;
  readonly sequences: readonly string[];
  readonly bad: readonly string[];
}

function createLines(choices: Choices, { record, sequences, bad }: Form): LineFile {
  const names = Array.from(new Set(choices.several(1, 3, () => choices.pick(NAMES))));
  const records = names.flatMap((name) => {
    const starts = choices.several(0, 5, () => choices.below(choices.chance(0.2) ? 2 ** 20 : 200));
    return starts
      .sort((a, b) => a - b)
      .map((start) => record(name, start, start + 1 + choices.below(choices.chance(0.1) ? 200_000 : 50)));
  });
  if (choices.chance(0.05)) records.splice(choices.below(records.length + 1), 0, choices.pick(bad));
  const lines: string[] = [];
  const plain: string[] = [];
  for (const line of records) {
    if (choices.chance(0.15)) lines.push(choices.pick([...COMMENTS, ...OTHER_LINES]));
    lines.push(line);
    plain.push(line);
  }
  const end = choices.chance(0.1) ? '\r\n' : '\n';
  const text = lines.map((line) => line + end).join('');
  const tail = sequences.length > 0 && choices.chance(0.3) ? choices.pick(sequences) : '';
  const region = (): LineRegion => {
    const start = choices.below(200);
    return {
      referenceName: choices.pick(names),
      start,
      end: choices.chance(0.5) ? start + 1 + choices.below(100) : 2 ** 29,
    };
  };
  const isCut = tail === '' && choices.chance(0.1);
  return {
    text: isCut ? text.slice(0, -end.length) : text + tail,
    plainText: plain.map((line) => line + end).join(''),
    regions: [...names.map((referenceName) => ({ referenceName, start: 0, end: 2 ** 29 })), region(), region()],
  };
}
