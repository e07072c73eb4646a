import type { AlignmentRecord, AlignmentTagValue, ReferenceBases } from '@htskit/formats';
import { count, countOf, h, rounded, svg, table } from '../dom.js';
import { coveringBases } from '../pileup/read-shape.js';
import type { ShownReference } from '../records/decode-records.js';
import { depthPicture } from '../region/depth-picture.js';
import { alignBases } from './aligned-bases.js';
import { tagMeaning } from './tag-meanings.js';

/** The bits of FLAG (SAMv1 §1.4.2). */
const FLAGS = [
  'paired',
  'proper pair',
  'unmapped',
  'mate unmapped',
  'reverse strand',
  'mate on the reverse strand',
  'first in pair',
  'second in pair',
  'secondary alignment',
  'fails quality checks',
  'duplicate',
  'supplementary alignment',
] as const;

/** Bases before and after a mate that its link shows. */
const MATE_MARGIN = 500;
/** The most operations that are drawn, and elements of an array and characters that are shown. */
const [MOST_OPERATIONS, MOST_ELEMENTS, MOST_CHARACTERS] = [2000, 40, 2000];
const LINE_BASES = 60;

export interface ReadDetailsOptions {
  readonly references: readonly ShownReference[];
  /** Bases of the reference, if they are known. */
  readonly reference: ReferenceBases | undefined;
  /** Returns the link to a region of the object. */
  readonly hrefOf: (region: { readonly referenceName: string; readonly start: number; readonly end: number }) => string;
}

/** Shows all of a read: its place, its flags, its mate, its alignment base by base, its qualities and its tags. */
export function readDetails(record: AlignmentRecord, options: ReadDetailsOptions): HTMLElement {
  const facts = readFacts(record, options).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]);
  return h(
    'div',
    { class: 'stack' },
    h('dl', { class: 'pair' }, ...facts.flat()),
    cigarPicture(record),
    basesView(record, coveringBases(record, options.reference)),
    qualitiesView(record.qualities),
    tagsTable(record),
  );
}

function readFacts(record: AlignmentRecord, options: ReadDetailsOptions): (readonly [string, string | Node])[] {
  const { start, end, flags, mappingQuality, templateLength, referenceId, isReverse } = record;
  const names = FLAGS.filter((_, bit) => (flags & (2 ** bit)) !== 0);
  const place =
    referenceId < 0
      ? 'unplaced'
      : `${options.references[referenceId]?.name}:${count(start + 1)}-${count(end)}, ${isReverse ? 'reverse' : 'forward'} strand`;
  return [
    ['Place', place],
    ['Flags', `${flags}: ${names.join(', ') || 'none is set'}`],
    ['Mapping quality', mappingQuality === 255 ? 'not available' : String(mappingQuality)],
    ['Mate', mateLink(record, options)],
    ['Template length', templateLength === 0 ? 'not available' : countOf(templateLength, 'base')],
  ];
}

function mateLink(record: AlignmentRecord, { references, hrefOf }: ReadDetailsOptions): string | Node {
  const { mateReferenceId, mateStart, isPaired, isMateUnmapped, sequenceLength } = record;
  const referenceName = references[mateReferenceId]?.name;
  if (referenceName === undefined || mateStart < 0) return isPaired ? 'not placed' : 'none';
  const region = {
    referenceName,
    start: Math.max(0, mateStart - MATE_MARGIN),
    end: mateStart + sequenceLength + MATE_MARGIN,
  };
  const text = `${referenceName}:${count(mateStart + 1)}${isMateUnmapped ? ', unmapped' : ''}`;
  return h('a', { href: hrefOf(region) }, text);
}

/** Draws the operations of the CIGAR in proportion: those of the read above, gaps as lines. */
function cigarPicture(record: AlignmentRecord): HTMLElement {
  const operations = record.cigar.slice(0, MOST_OPERATIONS);
  // A skip of a thousand bases would leave no room for the read.
  const widthOf = (operation: string, length: number): number => (operation === 'N' ? Math.min(length, 20) : length);
  const total = operations.reduce((sum, { operation, length }) => sum + widthOf(operation, length), 0);
  let x = 0;
  const boxes = operations.map(({ operation, length }) => {
    const width = widthOf(operation, length);
    const box = svg(
      'rect',
      {
        x,
        y: operation === 'N' || operation === 'D' ? 8 : 0,
        width,
        height: operation === 'N' || operation === 'D' ? 4 : 20,
        class: `op-${operation === '=' ? 'M' : operation}`,
      },
      svg('title', {}, `${length}${operation}`),
    );
    x += width;
    return box;
  });
  const text = record.cigarText;
  return h(
    'div',
    {},
    svg(
      'svg',
      {
        viewBox: `0 0 ${Math.max(1, total)} 20`,
        preserveAspectRatio: 'none',
        class: 'cigar',
        role: 'img',
        'aria-label': `CIGAR ${text.slice(0, 200)}`,
      },
      ...boxes,
    ),
    h('p', { class: 'scale' }, h('code', {}, text.length > 200 ? `${text.slice(0, 200)}…` : text)),
  );
}

function basesView(record: AlignmentRecord, reference: ReferenceBases | undefined): HTMLElement {
  if (record.sequenceLength === 0) return h('p', { class: 'hint' }, 'The record has no bases.');
  const { columns, isCut, hasReference } = alignBases(record, reference);
  const lines: HTMLElement[] = [];
  for (let at = 0; at < columns.length; at += LINE_BASES) {
    const line = columns.slice(at, at + LINE_BASES);
    const above = hasReference
      ? [h('span', { class: 'line above' }, line.map(({ reference: base }) => base || '?').join(''))]
      : [];
    const bases = line.map(({ read, isMismatch }) =>
      isMismatch ? h('mark', { class: read.toUpperCase() }, read) : read,
    );
    lines.push(h('span', { class: 'line bases' }, ...above, h('span', { class: 'line' }, ...bases)));
  }
  const notes = [
    hasReference ? 'The reference is above the read.' : 'The reference is not known: the read has no tag MD.',
    'Clipped bases are in lower case.',
    ...(isCut ? [`The first ${count(columns.length)} bases are shown.`] : []),
  ];
  return h(
    'div',
    {},
    h('pre', { tabindex: 0, 'aria-label': 'Bases' }, ...lines),
    h('p', { class: 'hint' }, notes.join(' ')),
  );
}

function qualitiesView(qualities: Uint8Array | undefined): HTMLElement {
  if (qualities === undefined) return h('p', { class: 'hint' }, 'The record has no qualities.');
  const values = Array.from(qualities);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const label = `qualities, ${rounded(mean)} on average, from ${Math.min(...values)} to ${Math.max(...values)}`;
  const picture = depthPicture([{ values, kind: 'mean' }], { greatest: Math.max(41, ...values), label });
  return h('div', {}, h('div', { class: 'qualities' }, picture), h('p', { class: 'scale' }, h('span', {}, label)));
}

function tagsTable(record: AlignmentRecord): HTMLElement {
  const rows = Array.from(record.tags(), ({ name, type, value }) => [
    h('code', {}, name),
    type,
    tagText(value),
    tagMeaning(name),
  ]);
  if (rows.length === 0) return h('p', { class: 'hint' }, 'The record has no tags.');
  return table({ caption: 'Tags', titles: ['Tag', 'Type', 'Value', 'Meaning'] }, rows);
}

function tagText(value: AlignmentTagValue): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
  const shown = Array.from(value.subarray(0, MOST_ELEMENTS)).join(', ');
  return value.length > MOST_ELEMENTS ? `${shown}, … (${countOf(value.length, 'element')})` : shown;
}
