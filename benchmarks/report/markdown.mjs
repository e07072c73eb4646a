// Formats results as Markdown: the machine, the versions, and a table for each area.
import { formatBar } from './bar.mjs';
import { toWorks } from './comparisons.mjs';
import { escapeCell, formatMarkdownTable } from './markdown-table.mjs';

const HEADER = ['what', 'unit', 'ours', 'peer', 'value', 'ratio', 'log scale', 'budget', 'verdict'];
const NUMBERS = new Set(['ours', 'value', 'ratio', 'budget']);

/** Returns sections with headings of the second level. With `plotPath(area)`, each area shows the image at that path. */
export function formatMarkdown({ machine, date, seconds, versions, rows }, { plotPath } = {}) {
  const areas = [...new Set(rows.map(({ area }) => area))];
  return [
    '## The run',
    formatMachine({ machine, date, seconds }),
    `With ${escapeCell(listVersions(versions))}.`,
    ...areas.flatMap((area) => formatArea(area, { works: toWorks(rows.filter((row) => row.area === area)), plotPath })),
  ].join('\n\n');
}

/** Returns a sentence that names the date and the machine of a run. */
export function formatMachine({ machine, date, seconds }) {
  const { cpu, processors, memoryGiB, system } = machine;
  const duration = seconds === undefined ? '' : ` in ${Math.ceil(seconds / 60)} minutes`;
  return `Measured on ${date.slice(0, 10)}${duration}: ${escapeCell(cpu)}, ${processors} processors, ${memoryGiB} GiB of memory, ${escapeCell(system)}.`;
}

function listVersions(versions) {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function formatArea(area, { works, plotPath }) {
  return [
    `## ${area}`,
    summarize(works.flatMap(({ comparisons }) => comparisons).filter(({ leader }) => leader !== 'none')),
    ...(plotPath === undefined ? [] : [`![Ratios of ${area} to each peer](${plotPath(area)})`]),
    formatMarkdownTable(HEADER, works.flatMap(toLines), NUMBERS),
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
