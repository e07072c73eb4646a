// A plot of the ratios of an area, as SVG: a line from 1 to each ratio on a logarithmic scale, right where ours is ahead.
import { createLogScale } from './log-scale.mjs';

const FONT = 12;
/** Of a letter of that size, on the wide side, so that no font cuts a label. */
const LETTER = 6.8;
const MARGIN = 20;
const LINE = 22;
const HEAD = 92;
const FOOT = 30;
const PLOT = 420;
/** Between the labels, the scale and the numbers. */
const GAP = 18;
const NUMBER = 56;

const STYLE = `
    .paper { fill: #ffffff } .text { fill: #1f2933 } .quiet { fill: #52606d } .grid { stroke: #e4e7eb } .one { stroke: #7b8794 }
    .ours { fill: #0b7285; stroke: #0b7285 } .peer { fill: #d9480f; stroke: #d9480f } .budget { stroke: #1f2933 }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #14191f } .text { fill: #e4e7eb } .quiet { fill: #9aa5b1 } .grid { stroke: #2b343d } .one { stroke: #7b8794 }
      .ours { fill: #3bc9db; stroke: #3bc9db } .peer { fill: #ff922b; stroke: #ff922b } .budget { stroke: #f5f7fa }
    }`;

/** `works` are those of one area, as `toWorks` gives them. */
export function plotRatios(area, works) {
  const comparisons = works.flatMap((work) => work.comparisons);
  const labels = [...works.map(({ name }) => name.length * 1.08), ...comparisons.map(({ peer }) => peer.length + 2)];
  const left = Math.ceil(MARGIN + Math.max(...labels) * LETTER + GAP);
  const scale = createLogScale(
    comparisons.flatMap(({ ratio, budget }) => (budget === null ? [ratio] : [ratio, budget])),
    { left, width: PLOT },
  );
  const width = left + PLOT + GAP + NUMBER + MARGIN;
  const bottom = HEAD + LINE * (works.length + comparisons.length);
  const lines = toLines(works).map((line, index) => drawLine(line, { y: HEAD + LINE * (index + 0.5), scale, width }));
  const title = `${area}: ratio of ours to each peer`;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" viewBox="0 0 ${width} ${bottom + FOOT}" width="${width}" height="${bottom + FOOT}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="${FONT}">
  <title id="title">${escape(title)}</title>
  <style>${STYLE}
  </style>
  <rect class="paper" width="100%" height="100%" rx="6"/>
  ${[...drawHead(title), ...drawScale(scale, bottom), ...lines].join('\n  ')}
</svg>
`;
}

/** One for the name of each piece of work, and one for each peer. */
function toLines(works) {
  return works.flatMap(({ name, unit, comparisons }) => [
    { name },
    ...comparisons.map((comparison) => ({ ...comparison, unit })),
  ]);
}

function drawHead(title) {
  const y = 56;
  return [
    `<text class="text" x="${MARGIN}" y="32" font-size="16" font-weight="600">${escape(title)}</text>`,
    `<circle class="ours" cx="${MARGIN + 5}" cy="${y - 4}" r="4.5"/>`,
    `<text class="quiet" x="${MARGIN + 16}" y="${y}">ours is ahead</text>`,
    `<circle class="peer" cx="${MARGIN + 125}" cy="${y - 4}" r="4.5"/>`,
    `<text class="quiet" x="${MARGIN + 136}" y="${y}">the peer is ahead</text>`,
    `<path class="budget" stroke-width="2" d="M${MARGIN + 270} ${y - 11}v14"/>`,
    `<text class="quiet" x="${MARGIN + 280}" y="${y}">budget</text>`,
  ];
}

function drawScale({ ticks, toX }, bottom) {
  return ticks.flatMap((tick) => {
    const x = toX(tick);
    const kind = tick === 1 ? 'class="one" stroke-width="1.5"' : 'class="grid"';
    return [
      `<path ${kind} d="M${x} ${HEAD}V${bottom}"/>`,
      `<text class="quiet" x="${x}" y="${HEAD - 8}" text-anchor="middle" font-size="11">${tick}×</text>`,
      `<text class="quiet" x="${x}" y="${bottom + 16}" text-anchor="middle" font-size="11">${tick}×</text>`,
    ];
  });
}

function drawLine(line, { y, scale: { toX }, width }) {
  if (line.name !== undefined)
    return `<text class="text" x="${MARGIN}" y="${y + 4}" font-weight="600">${escape(line.name)}</text>`;
  const { peer, value, unit, ratio, budget, verdict } = line;
  const kind = ratio < 1 ? 'peer' : 'ours';
  const tip = `${peer}: ${value} ${unit}, ratio ${ratio}${verdict === '' ? '' : `, ${verdict}`}`;
  const parts = [
    `<title>${escape(tip)}</title>`,
    `<text class="quiet" x="${MARGIN + 2 * LETTER}" y="${y + 4}">${escape(peer)}</text>`,
    `<path class="${kind}" stroke-width="3" d="M${toX(1)} ${y}H${toX(ratio)}"/>`,
    `<circle class="${kind}" cx="${toX(ratio)}" cy="${y}" r="4.5"/>`,
    `<text class="text" x="${width - MARGIN}" y="${y + 4}" text-anchor="end">${ratio}×</text>`,
  ];
  if (budget !== null) parts.push(`<path class="budget" stroke-width="2" d="M${toX(budget)} ${y - 8}v16"/>`);
  return `<g>${parts.join('')}</g>`;
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text) {
  return text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
}
