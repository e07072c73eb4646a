// Writes what a run measured, and the committed page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toWorks } from './comparisons.mjs';
import { formatMarkdown } from './markdown.mjs';
import { plotRatios } from './plot.mjs';

const DOCS = new URL('../../docs/', import.meta.url);
export const PAGE = fileURLToPath(new URL('benchmarks.md', DOCS));
export const PAGE_FOLDER = fileURLToPath(new URL('benchmarks/', DOCS));
/** In the page: everything below is written by `pnpm bench --page`. */
const MARK = '<!-- Written by pnpm bench --page from here on. -->';

/** Writes `results.json`, `results.md` and `AREA.svg` into a folder. `results` is `{ machine, date, versions, rows }`. */
export function writeResults(folder, results) {
  writeFolder(folder, results);
  const text = formatMarkdown(results, { plotPath: (area) => `${area}.svg` });
  writeFileSync(join(folder, 'results.md'), `# Benchmarks\n\n${text}\n`);
}

/** Writes the part of the page that is not written by hand, its plots, and the results that they show. */
export function writePage(results) {
  writeFolder(PAGE_FOLDER, results);
  writeFileSync(PAGE, renderPage(readFileSync(PAGE, 'utf8'), results));
}

/** The page with everything below its mark made of the results. Throws where it has no mark. */
export function renderPage(page, results) {
  const end = page.indexOf(MARK);
  if (end < 0) throw new Error(`expected a page with the line ${MARK}`);
  const text = formatMarkdown(results, { plotPath: (area) => `benchmarks/${area}.svg` });
  return `${page.slice(0, end)}${MARK}\n\n${text}\n`;
}

/** The plot of each area that the rows are of, by the name of its file. */
export function renderPlots({ rows }) {
  const areas = [...new Set(rows.map(({ area }) => area))];
  return areas.map((area) => [`${area}.svg`, plotRatios(area, toWorks(rows.filter((row) => row.area === area)))]);
}

function writeFolder(folder, results) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  for (const [name, plot] of renderPlots(results)) writeFileSync(join(folder, name), plot);
}
