// Writes the results of a run into a folder, and the committed page with its summary.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toWorks } from './comparisons.mjs';
import { formatMarkdown } from './markdown.mjs';
import { plotRatios } from './plot.mjs';
import { formatSummary } from './summary.mjs';

export const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
export const SUMMARY = fileURLToPath(new URL('../../docs/benchmarks.json', import.meta.url));
/** `pnpm bench --page` writes everything after this line of the page. */
const MARK = '<!-- Written by pnpm bench --page from here on. -->';

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

/** Writes the summary of the results, and the part of the page that shows them. */
export function writePage(results) {
  writeFileSync(SUMMARY, formatSummary(results));
  writeFileSync(PAGE, renderPage(readFileSync(PAGE, 'utf8'), results));
}

/** Returns the page with the results after its mark. Throws if the page has no mark. */
export function renderPage(page, results) {
  const end = page.indexOf(MARK);
  if (end < 0) throw new Error(`expected a page with the line ${MARK}`);
  return `${page.slice(0, end)}${MARK}\n\n${formatMarkdown(results)}\n`;
}

function renderPlot(area, { rows }) {
  return plotRatios(area, toWorks(rows.filter((row) => row.area === area)));
}
