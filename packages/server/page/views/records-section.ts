import { count, h, svg, table } from '../dom.js';
import { coverageOf } from '../records/coverage.js';
import type { DecodedFile } from '../records/decode-records.js';
import { hint } from './notices.js';

const WIDTH = 1000;
const HEIGHT = 72;
/** A longer region would need too much memory for its depths. */
const MOST_BASES = 20_000_000;
const FIRST_ROWS = 25;
const FURTHER_ROWS = 200;

/** 0-based, half-open. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Shows decoded records: their coverage, and a table that grows on request. */
export function recordsSection(file: DecodedFile, window: Window): HTMLElement {
  const { records, overlapping, delivered, titles } = file;
  if (overlapping === 0) return hint('No records overlap the region.');
  const more = delivered - overlapping;
  const summary = `${count(overlapping)} ${overlapping === 1 ? 'record overlaps' : 'records overlap'} the region${more > 0 ? `; ${count(more)} more were delivered` : ''}.`;
  const shown = h('div', {});
  let rows = 0;
  const button = h('button', { type: 'button' }, 'Show more');
  const grow = (): void => {
    rows += rows === 0 ? FIRST_ROWS : FURTHER_ROWS;
    shown.replaceChildren(
      table(
        { caption: 'Records', titles },
        records.slice(0, rows).map(({ cells }) => cells),
      ),
    );
    button.hidden = rows >= records.length;
  };
  button.addEventListener('click', grow);
  grow();
  return h('div', {}, h('p', {}, summary), coveragePicture(file, window), shown, button);
}

function coveragePicture({ records, overlapping }: DecodedFile, { start, end }: Window): Element | undefined {
  if (end - start > MOST_BASES || records.length < overlapping) return undefined;
  const { depths, greatest } = coverageOf(records, { start, end, columns: WIDTH });
  if (greatest === 0) return undefined;
  const step = WIDTH / depths.length;
  const points = depths.flatMap((depth, column) => {
    const y = (HEIGHT * (1 - depth / greatest)).toFixed(1);
    return [`${(column * step).toFixed(1)},${y}`, `${((column + 1) * step).toFixed(1)},${y}`];
  });
  return h(
    'figure',
    {},
    svg(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: 'none',
        class: 'coverage',
        role: 'img',
        'aria-label': `Coverage, at most ${greatest}`,
      },
      svg('polygon', { points: `0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}` }),
    ),
    h(
      'figcaption',
      { class: 'scale' },
      h('span', {}, count(start + 1)),
      h('span', {}, `coverage, at most ${count(greatest)}`),
      h('span', {}, count(end)),
    ),
  );
}
