// Formats results as Markdown: the machine, the versions, and a table for each area.
import { formatBar } from './bar.mjs';
import { toWorks } from './comparisons.mjs';

const HEADER = ['what', 'unit', 'ours', 'peer', 'value', 'ratio', 'log scale', 'budget', 'verdict'];
const NUMBERS = new Set(['ours', 'value', 'ratio', 'budget']);

/** Returns sections with headings of the second level. With `plotPath(area)`, each area shows the image at that path. */
export function formatMarkdown({ machine, date, versions, rows }, { plotPath } = {}) {
  const areas = [...new Set(rows.map(({ area }) => area))];
  return [
    formatMachine({ machine, date, versions }),
    ...areas.flatMap((area) => formatArea(area, { works: toWorks(rows.filter((row) => row.area === area)), plotPath })),
  ].join('\n\n');
}

function formatMachine({ machine, date, versions }) {
  const { cpu, processors, memoryGiB, system } = machine;
  const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    '## The run',
    `Measured on ${date.slice(0, 10)}: ${escapeCell(cpu)}, ${processors} processors, ${memoryGiB} GiB of memory, ${escapeCell(system)}.`,
    `With ${escapeCell(list.join(', '))}.`,
  ].join('\n\n');
}

function formatArea(area, { works, plotPath }) {
  return [
    `## ${area}`,
    summarize(works.flatMap(({ comparisons }) => comparisons).filter(({ leader }) => leader !== 'none')),
    ...(plotPath === undefined ? [] : [`![Ratios of ${area} to each peer](${plotPath(area)})`]),
    formatTable(works.flatMap(toLines)),
  ];
}

function summarize(comparisons) {
  const ahead = comparisons.filter(({ leader }) => leader === 'peer').length;
  const budgeted = comparisons.filter(({ budget }) => budget !== null);
  const met = budgeted.filter(({ ratio, budget }) => ratio >= budget).length;
  const budgets = budgeted.length === 0 ? 'no budget is set' : `${met} of ${budgeted.length} budgets are met`;
  return `The peer is ahead in ${ahead} of ${comparisons.length} comparisons; ${budgets}.`;
}

function toLines({ name, unit, ours, comparisons }) {
  return comparisons.map(({ peer, value, ratio, budget, verdict }, index) => {
    const work = index === 0 ? [name, unit, String(ours)] : ['', '', ''];
    const cells = [...work, peer, String(value), String(ratio)].map(escapeCell);
    return [...cells, `\`${formatBar(ratio)}\``, budget === null ? '' : String(budget), escapeCell(verdict)];
  });
}

/** Pads each column to its widest cell, as formatters of Markdown do. */
function formatTable(lines) {
  const widths = HEADER.map((name, column) => Math.max(3, name.length, ...lines.map((line) => line[column].length)));
  const pad = (text, column) =>
    NUMBERS.has(HEADER[column]) ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  const rule = widths.map((width, column) =>
    NUMBERS.has(HEADER[column]) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [HEADER.map(pad), rule, ...lines.map((line) => line.map(pad))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Escapes text for a cell of a table. */
function escapeCell(text) {
  return text.replace(/[\\|*_`[\]]/g, '\\$&').replaceAll('<', '&lt;');
}
