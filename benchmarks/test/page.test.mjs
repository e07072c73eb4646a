import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGE, PAGE_FOLDER, renderPage, renderPlots } from '../report/results.mjs';

const page = readFileSync(PAGE, 'utf8');
const results = JSON.parse(readFileSync(join(PAGE_FOLDER, 'results.json'), 'utf8'));

describe('docs/benchmarks.md', () => {
  it('is what `pnpm bench --page` writes of its results', () => {
    expect(renderPage(page, results)).toBe(page);
  });

  it('has the plots of these results, and no others', () => {
    const plots = readdirSync(PAGE_FOLDER).filter((name) => name.endsWith('.svg'));
    const committed = plots.map((name) => [name, readFileSync(join(PAGE_FOLDER, name), 'utf8')]);
    expect(Object.fromEntries(committed)).toEqual(Object.fromEntries(renderPlots(results)));
  });

  it('is of a run of all areas whose outputs were equal', () => {
    const areas = readdirSync(new URL('../areas/', import.meta.url)).map((name) => name.replace('.mjs', ''));
    expect([...new Set(results.rows.map(({ area }) => area))]).toEqual(areas);
    expect(results.rows.filter(({ equal }) => !equal)).toEqual([]);
  });

  it('refuses a page without its mark', () => {
    expect(() => renderPage('# Benchmarks\n', results)).toThrow('expected a page with the line');
  });
});
