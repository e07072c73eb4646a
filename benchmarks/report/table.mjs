// The table that `pnpm bench` prints.
import { toWorks } from './comparisons.mjs';

const HEADER = ['area', 'what', 'unit', 'ours', 'peer', 'value', 'ratio', 'budget', ''];
const NUMBERS = new Set(['ours', 'value', 'ratio', 'budget']);

/** Returns a table with one line for each piece of work and peer. */
export function formatTable(rows) {
  const lines = [HEADER, ...toWorks(rows).flatMap(toLines)];
  const widths = HEADER.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (text, column) =>
    NUMBERS.has(HEADER[column]) ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

function toLines({ area, name, unit, ours, comparisons }) {
  return comparisons.map(({ peer, value, ratio, budget, verdict }, index) => {
    const work = index === 0 ? [area, name, unit, String(ours)] : ['', '', '', ''];
    return [...work, peer, String(value), String(ratio), budget === null ? '' : String(budget), verdict];
  });
}
