import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatBar } from '../report/bar.mjs';
import { HEADLINES, selectHeadlines } from '../report/headlines.mjs';
import { renderPages, replaceMarked, SUMMARY } from '../report/results.mjs';
import { formatSummary, parseResults } from '../report/summary.mjs';

const summary = readFileSync(SUMMARY, 'utf8');
const results = parseResults(summary);

describe('the pages of docs/', () => {
  it.each(renderPages(results))('%s is what `pnpm bench --page` writes from the summary', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('report a run of all areas whose outputs were equal', () => {
    const areas = readdirSync(new URL('../areas/', import.meta.url)).map((name) => name.replace('.mjs', ''));
    expect([...new Set(results.rows.map(({ area }) => area))]).toEqual(areas);
    expect(results.rows.filter(({ equal }) => !equal)).toEqual([]);
  });

  it('report each headline beside each of its peers', () => {
    const shown = selectHeadlines(results.rows).map(({ name, comparisons }) => [name, comparisons.length]);
    expect(shown).toEqual(HEADLINES.map(({ title, peers }) => [title, peers.length]));
  });

  it('must have their marks', () => {
    expect(() => replaceMarked('# Benchmarks\n', '')).toThrow('expected a page with the lines');
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
