// Plots the ratios of an area as SVG: a line from 1 to each ratio on a logarithmic scale, to the right if ours is
// ahead.
import { createLogScale } from './log-scale.mjs';

const FAMILY = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
/** The width of a letter, on the wide side so that no font clips a label, and how much wider bold letters are. */
const LETTER = 6.8;
const BOLD = 1.08;
/** In letters. */
const INDENT = 2;
const MARGIN = 20;
const LINE = 21;
/** Pixels above the name of each piece of work. */
const SPACE = 10;
const HEAD = 92;
const FOOT = 34;
const PLOT = 420;
/** Pixels between the labels, the scale and the numbers. */
const GAP = 18;
const NUMBER = 56;

const STYLE = `
    .paper { fill: #ffffff } .text { fill: #1f2933 } .quiet { fill: #52606d } .grid { stroke: #e4e7eb } .one { stroke: #7b8794 }
    .ours { fill: #0b7285; stroke: #0b7285 } .peer { fill: #d9480f; stroke: #d9480f } .level { fill: #7b8794 } .budget { stroke: #1f2933 }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #14191f } .text { fill: #e4e7eb } .quiet { fill: #9aa5b1 } .grid { stroke: #2b343d } .one { stroke: #7b8794 }
      .ours { fill: #3bc9db; stroke: #3bc9db } .peer { fill: #ff922b; stroke: #ff922b } .budget { stroke: #f5f7fa }
    }`;

/** Returns the SVG of one area. `works` are those of `toWorks`. */
export function plotRatios(area, works) {
  const comparisons = works.flatMap((work) => work.comparisons);
  const labels = [
    ...works.map(({ name }) => name.length * BOLD),
    ...comparisons.map(({ peer }) => peer.length + INDENT),
  ];
  const left = Math.ceil(MARGIN + Math.max(...labels) * LETTER + GAP);
  const values = comparisons.flatMap(({ ratio, budget }) => (budget === null ? [ratio] : [ratio, budget]));
  const scale = createLogScale(values, { left, width: PLOT });
  const width = left + PLOT + GAP + NUMBER + MARGIN;
  const { drawn, bottom } = drawWorks(works, { scale, width });
  const height = bottom + FOOT;
  const title = `${area}: ratio of ours to each peer`;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${FAMILY}" font-size="12">
  <title id="title">${escapeXml(title)}</title>
  <style>${STYLE}
  </style>
  <rect class="paper" width="100%" height="100%" rx="6"/>
  ${[...drawHead(title), ...drawScale(scale, bottom), ...drawn].join('\n  ')}
</svg>
`;
}

/** Draws the name of each piece of work, and below it a line for each peer. */
function drawWorks(works, { scale, width }) {
  const drawn = [];
  let y = HEAD;
  for (const { name, unit, comparisons } of works) {
    y += SPACE + LINE;
    drawn.push(`<text class="text" x="${MARGIN}" y="${y - 6}" font-weight="600">${escapeXml(name)}</text>`);
    for (const comparison of comparisons) {
      y += LINE;
      drawn.push(drawComparison({ ...comparison, unit }, { y: y - LINE / 2, toX: scale.toX, width }));
    }
  }
  return { drawn, bottom: y + SPACE };
}

function drawComparison({ peer, value, unit, ratio, budget, leader, verdict }, { y, toX, width }) {
  const kind = leader === 'none' ? 'level' : leader;
  const tip = `${peer}: ${value} ${unit}, ratio ${ratio}${verdict === '' ? '' : `, ${verdict}`}`;
  const parts = [
    `<title>${escapeXml(tip)}</title>`,
    `<text class="quiet" x="${MARGIN + INDENT * LETTER}" y="${y + 4}">${escapeXml(peer)}</text>`,
    `<path class="${kind}" stroke-width="3" d="M${toX(1)} ${y}H${toX(ratio)}"/>`,
    `<circle class="${kind}" cx="${toX(ratio)}" cy="${y}" r="4.5"/>`,
    `<text class="text" x="${width - MARGIN}" y="${y + 4}" text-anchor="end">${ratio}×</text>`,
  ];
  if (budget !== null) parts.push(`<path class="budget" stroke-width="2" d="M${toX(budget)} ${y - 8}v16"/>`);
  return `<g>${parts.join('')}</g>`;
}

function drawHead(title) {
  const y = 56;
  const dot = (kind, { x, text }) =>
    `<circle class="${kind}" cx="${x + 5}" cy="${y - 4}" r="4.5"/><text class="quiet" x="${x + 16}" y="${y}">${text}</text>`;
  return [
    `<text class="text" x="${MARGIN}" y="32" font-size="16" font-weight="600">${escapeXml(title)}</text>`,
    dot('ours', { x: MARGIN, text: 'ours is ahead' }),
    dot('peer', { x: MARGIN + 120, text: 'the peer is ahead' }),
    dot('level', { x: MARGIN + 262, text: 'level' }),
    `<path class="budget" stroke-width="2" d="M${MARGIN + 333} ${y - 12}v16"/>`,
    `<text class="quiet" x="${MARGIN + 342}" y="${y}">budget</text>`,
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

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text) {
  return text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
}
