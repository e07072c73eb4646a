// Writes the results of a run into a folder, and the committed pages with their summary.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toWorks } from './comparisons.mjs';
import { formatHeadlines, plotHeadlines } from './headlines.mjs';
import { formatMarkdown } from './markdown.mjs';
import { plotRatios } from './plot.mjs';
import { formatSummary } from './summary.mjs';

const DOCS = new URL('../../docs/', import.meta.url);
export const SUMMARY = fileURLToPath(new URL('benchmarks.json', DOCS));
const PLOT = 'images/benchmarks.svg';

/** The files that `pnpm bench --page` writes, with their texts. Of the pages, it writes what is between the marks. */
const PAGES = [
  ['benchmarks.md', (results) => formatHeadlines(results, { plotPath: PLOT })],
  ['benchmarks-full.md', (results) => formatMarkdown(results)],
];
const [BEGIN, END] = ['<!-- pnpm bench --page writes from here -->', '<!-- to here -->'];

/** Writes `results.json`, `results.md` and `AREA.svg` into a folder. `results` is `{ machine, date, versions, rows }`. */
export function writeResults(folder, results) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  const text = formatMarkdown(results, { plotPath: (area) => `${area}.svg` });
  writeFileSync(join(folder, 'results.md'), `# Benchmarks\n\n${text}\n`);
  for (const area of new Set(results.rows.map((row) => row.area))) {
    writeFileSync(join(folder, `${area}.svg`), renderPlot(area, results));
  }
}

/** Writes the summary of the results, the pages that show them, and the plot. */
export function writePages(results) {
  for (const [path, text] of renderPages(results)) writeFileSync(path, text);
}

/** Returns each file that shows the results, and its text. */
export function renderPages(results) {
  const pages = PAGES.map(([name, render]) => {
    const path = fileURLToPath(new URL(name, DOCS));
    return [path, replaceMarked(readFileSync(path, 'utf8'), render(results))];
  });
  return [[SUMMARY, formatSummary(results)], ...pages, [fileURLToPath(new URL(PLOT, DOCS)), plotHeadlines(results)]];
}

/** Returns the page with another text between its marks. Throws if the page lacks one. */
export function replaceMarked(page, text) {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`expected a page with the lines ${BEGIN} and ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${text}\n\n${page.slice(end)}`;
}

function renderPlot(area, { rows }) {
  return plotRatios(area, toWorks(rows.filter((row) => row.area === area)));
}
