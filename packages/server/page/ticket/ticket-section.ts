import { count, countOf, h, size, svg, table } from '../dom.js';
import { layOutPicture } from '../ticket/picture-layout.js';
import { type BlockKind, coveredBytes, type ShownBlock } from '../ticket/ticket-blocks.js';

/** The kinds of blocks, for people. */
const KINDS: Readonly<Record<BlockKind, readonly [label: string, meaning: string]>> = {
  inline: ['inline', 'in the ticket itself'],
  stored: ['as stored', 'passed through unchanged'],
  cut: ['cut', 'cut to the records of the region'],
  converted: ['converted', 'decoded and written in the format of the ticket'],
};

const WIDTH = 1000;
const FILE_Y = 0;
const DETAIL_Y = 74;
const BAR_HEIGHT = 26;

/** What is known of a ticket. `lengths` are those of the blocks that were fetched. */
export interface TicketFacts {
  readonly blocks: readonly ShownBlock[];
  readonly fileBytes: number;
  readonly format: string;
  readonly lengths?: readonly number[];
  /** Bytes of delivered records per byte of records in the region. */
  readonly overFetch?: number;
}

/** Shows a ticket as a picture over the file that it is made from, in numbers, and block by block. */
export function ticketSection(facts: TicketFacts): HTMLElement {
  const { blocks } = facts;
  const kinds = [...new Set(blocks.map(({ kind }) => kind))];
  const legend = kinds.map((kind) =>
    h('li', {}, h('span', { class: `swatch ${kind}` }), h('strong', {}, KINDS[kind][0]), ` ${KINDS[kind][1]}`),
  );
  return h(
    'div',
    { class: 'ticket' },
    picture(facts),
    h('ul', { class: 'legend' }, ...legend),
    numbers(facts),
    blockTable(facts),
  );
}

/** Draws the file with the blocks on it and, below, the part of it that the blocks span. */
function picture({ blocks, fileBytes }: TicketFacts): Element {
  const layout = layOutPicture(blocks, { fileBytes, width: WIDTH });
  if (layout === undefined)
    return h('p', { class: 'hint' }, 'The whole answer is inside of the ticket: no byte of the file is requested.');
  const { file, detail, span, spanBar } = layout;
  const bar =
    (y: number) =>
    (place: (typeof file)[number]): SVGElement => {
      const { kind = 'stored' } = blocks[place.block] ?? {};
      const title = svg('title', {}, `block ${place.block + 1}, ${KINDS[kind][0]}`);
      return svg('rect', { x: place.x, y, width: place.width, height: BAR_HEIGHT, class: `block ${kind}` }, title);
    };
  const right = spanBar.x + spanBar.width;
  const [fileBottom, detailBottom] = [FILE_Y + BAR_HEIGHT, DETAIL_Y + BAR_HEIGHT];
  const drawing = svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${detailBottom}`,
      preserveAspectRatio: 'none',
      class: 'picture',
      role: 'img',
      'aria-label': `${countOf(blocks.length, 'block')} over the file`,
    },
    svg('rect', { x: 0, y: FILE_Y, width: WIDTH, height: BAR_HEIGHT, class: 'track' }),
    svg('polygon', {
      points: `${spanBar.x},${fileBottom} ${right},${fileBottom} ${WIDTH},${DETAIL_Y} 0,${DETAIL_Y}`,
      class: 'zoom',
    }),
    ...file.map(bar(FILE_Y)),
    svg('rect', { x: 0, y: DETAIL_Y, width: WIDTH, height: BAR_HEIGHT, class: 'track' }),
    ...detail.map(bar(DETAIL_Y)),
  );
  const line = (left: string, other: string): HTMLElement =>
    h('p', { class: 'scale' }, h('span', {}, left), h('span', {}, other));
  return h(
    'figure',
    {},
    line('The stored file', size(fileBytes)),
    drawing,
    line(`byte ${count(span.start)}`, count(span.end)),
  );
}

function numbers({ blocks, fileBytes, format, lengths, overFetch }: TicketFacts): HTMLElement {
  const inline = blocks.reduce((sum, { kind, bytes = 0 }) => sum + (kind === 'inline' ? bytes : 0), 0);
  const covered = coveredBytes(blocks);
  const received = lengths?.reduce((sum, length) => sum + length, 0);
  const share = fileBytes === 0 ? 0 : (100 * (received ?? covered)) / fileBytes;
  const facts: (readonly [string, string, string])[] = [
    [
      'Answer',
      received === undefined ? '…' : size(received),
      `${format}, ${share >= 99.5 ? Math.round(share) : share.toPrecision(2)} % of the file`,
    ],
    [
      'Inline',
      size(inline),
      `in ${count(blocks.filter(({ kind }) => kind === 'inline').length)} of ${countOf(blocks.length, 'block')}`,
    ],
    ['Read', `${blocks.some(({ isBound }) => isBound) ? '≤ ' : ''}${size(covered)}`, `of ${size(fileBytes)} on disk`],
    [
      'Over-fetch',
      overFetch === undefined ? '…' : `${overFetch.toFixed(2)} ×`,
      'bytes of records delivered per byte in the region',
    ],
  ];
  const items = facts.flatMap(([name, value, note]) => [
    h('div', {}, h('dt', {}, name), h('dd', {}, value), h('dd', { class: 'note' }, note)),
  ]);
  return h('dl', { class: 'facts' }, ...items);
}

function blockTable({ blocks, lengths }: TicketFacts): HTMLElement {
  const rows = blocks.map(({ kind, class: part = '', ranges, bytes, host }, index) => [
    index + 1,
    KINDS[kind][0],
    part,
    ranges.map(({ start, end }) => `${count(start)}–${count(end)}`).join(', '),
    lengths?.[index] ?? bytes ?? '',
    host ?? '',
  ]);
  const hasHosts = blocks.some(({ host }) => host !== undefined);
  const titles = ['Block', 'Kind', 'Class', 'Bytes of the file#', 'Length#', ...(hasHosts ? ['Sent by'] : [])];
  const shown = hasHosts ? rows : rows.map((row) => row.slice(0, -1));
  return h(
    'details',
    {},
    h('summary', {}, countOf(blocks.length, 'block')),
    table({ caption: 'Blocks of the ticket', titles }, shown),
  );
}
