import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatBar } from '../report/bar.mjs';
import { PAGE, renderPage, SUMMARY } from '../report/results.mjs';
import { formatSummary, parseResults } from '../report/summary.mjs';

const page = readFileSync(PAGE, 'utf8');
const summary = readFileSync(SUMMARY, 'utf8');
const results = parseResults(summary);

describe('docs/benchmarks.md', () => {
  it('is what `pnpm bench --page` writes from its summary', () => {
    expect(renderPage(page, results)).toBe(page);
  });

  it('reports a run of all areas whose outputs were equal', () => {
    const areas = readdirSync(new URL('../areas/', import.meta.url)).map((name) => name.replace('.mjs', ''));
    expect([...new Set(results.rows.map(({ area }) => area))]).toEqual(areas);
    expect(results.rows.filter(({ equal }) => !equal)).toEqual([]);
  });

  it('must have its mark', () => {
    expect(() => renderPage('# Benchmarks\n', results)).toThrow('expected a page with the line');
  });
});

describe('the summary', () => {
  it('holds every row of a run', () => {
    expect(formatSummary(results)).toBe(summary);
    expect(parseResults(JSON.stringify(results))).toEqual(results);
  });
});

describe('formatBar', () => {
  it.each([
    [1, '······┃········'],
    [2, '······┃██······'],
    [0.5, '····██┃········'],
    [1000, '······┃███████›'],
    [0.001, '‹█████┃········'],
  ])('draws %d as %s', (ratio, bar) => {
    expect(formatBar(ratio)).toBe(bar);
  });
});
