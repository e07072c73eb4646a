import type { CollectionComparison } from '@htskit/refget';
import { summarizeComparison } from '../../src/commands/refget/describe-comparison.js';
import { count, countOf, h, svg, table } from '../dom.js';
import { hint, loading, showViewFailure } from '../notices.js';
import { type Place, toFragment } from '../route.js';
import { type Collection, service } from '../service.js';
import { layOutComparison, type SequenceBox } from './comparison-layout.js';

const WIDTH = 1000;
const BOX_HEIGHT = 30;
const [A_Y, B_Y] = [20, 130];
/** The least width of a box with its name in it, for each character of the name. */
const CHARACTER_WIDTH = 8;

/** The attributes of a collection that are compared, for people. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  names: 'Names',
  lengths: 'Lengths',
  sequences: 'Sequences',
  name_length_pairs: 'Names with lengths',
};

/** Shows what two sequence collections have in common. */
export function showComparison(
  target: HTMLElement,
  { a, b }: Extract<Place, { view: 'comparison' }>,
  signal: AbortSignal,
): void {
  target.append(loading('Comparing'));
  const load = async (): Promise<void> => {
    try {
      const [comparison, first, second, files] = await Promise.all([
        service.comparison(a, b),
        service.collection(a),
        service.collection(b),
        service.collectionNames(),
      ]);
      if (signal.aborted) return;
      target.replaceChildren(
        h('div', { class: 'title' }, h('h1', {}, 'Comparison')),
        h(
          'dl',
          { class: 'pair' },
          ...collectionLine('A', a, { ...first, files: files[a] }),
          ...collectionLine('B', b, { ...second, files: files[b] }),
        ),
        picture(first, second),
        counts(comparison),
        h('p', { class: 'notice verdict' }, verdict(comparison, first, second)),
      );
    } catch (error) {
      showViewFailure(target, error, { title: 'Comparison', area: 'sequences' });
    }
  };
  void load();
}

/** Returns the verdict in words, as the command prints it. */
function verdict(comparison: CollectionComparison, a: Collection, b: Collection): string {
  const known = new Set(b.names.map((name, index) => `${b.sequences[index]} ${name}`));
  const sameNames = a.names.filter((name, index) => known.has(`${a.sequences[index]} ${name}`)).length;
  const text = summarizeComparison({ comparison, sameNames });
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function collectionLine(
  letter: string,
  digest: string,
  { names, files = [] }: Pick<Collection, 'names'> & { readonly files: readonly string[] | undefined },
): HTMLElement[] {
  const link = h('a', { href: toFragment({ view: 'collection', digest }) }, h('code', {}, digest));
  return [h('dt', {}, letter), h('dd', {}, files.join(', '), ' ', link, ` ${countOf(names.length, 'sequence')}`)];
}

function picture(a: Collection, b: Collection): HTMLElement {
  const layout = layOutComparison(a, b, WIDTH);
  const bands = layout.links.map((link) => {
    const [from, to] = [layout.a[link.a], layout.b[link.b]];
    if (from === undefined || to === undefined) return undefined;
    const points = [
      [from.x, A_Y + BOX_HEIGHT],
      [from.x + from.width, A_Y + BOX_HEIGHT],
      [to.x + to.width, B_Y],
      [to.x, B_Y],
    ];
    return svg('polygon', { points: points.join(' '), class: `band ${from.state}` });
  });
  const drawing = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} 182`, class: 'drawing', role: 'img', 'aria-label': 'Sequences of A above those of B' },
    svg('text', { x: 0, y: A_Y - 8 }, 'A'),
    svg('text', { x: 0, y: B_Y + BOX_HEIGHT + 16 }, 'B'),
    ...bands,
    ...layout.a.flatMap((box) => sequenceBox(box, A_Y)),
    ...layout.b.flatMap((box) => sequenceBox(box, B_Y)),
  );
  const legend = [
    ['same', 'in both, by the same name'],
    ['renamed', 'in both, by different names'],
    ['alone', 'in one of them'],
  ].map(([state, meaning]) => h('li', {}, h('span', { class: `swatch ${state}` }), meaning));
  return h(
    'div',
    { class: 'ticket' },
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Picture' }, drawing),
    h('ul', { class: 'legend' }, ...legend),
    layout.isCut && hint('Only the first 200 sequences of each are drawn.'),
  );
}

function sequenceBox({ x, width, name, length, state }: SequenceBox, y: number): SVGElement[] {
  const title = svg('title', {}, `${name}, ${count(length)} bases`);
  const gap = Math.min(1.5, width / 4);
  const box = svg(
    'rect',
    { x, y, width: Math.max(0.5, width - gap), height: BOX_HEIGHT, class: `box ${state}` },
    title,
  );
  if (name.length * CHARACTER_WIDTH > width) return [box];
  return [
    box,
    svg('text', { x: x + width / 2, y: y + BOX_HEIGHT / 2 + 4, class: 'name', 'text-anchor': 'middle' }, name),
  ];
}

function counts({ array_elements: elements }: CollectionComparison): HTMLElement {
  const rows = Object.entries(ATTRIBUTES)
    .filter(([attribute]) => attribute in elements.a_and_b_count)
    .map(([attribute, title]) => {
      const [a = 0, b = 0] = [elements.a_count[attribute], elements.b_count[attribute]];
      const both = elements.a_and_b_count[attribute] ?? 0;
      const order = elements.a_and_b_same_order[attribute];
      return [title, both, a - both, b - both, order === true ? 'yes' : order === false ? 'no' : '–'];
    });
  return table(
    { caption: 'Common elements', titles: ['Attribute', 'In both#', 'Only in A#', 'Only in B#', 'Same order'] },
    rows,
  );
}
