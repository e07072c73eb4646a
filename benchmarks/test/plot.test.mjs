import { describe, expect, it } from 'vitest';
import { toWorks } from '../report/comparisons.mjs';
import { plotRatios } from '../report/plot.mjs';

const row = {
  area: 'bgzf',
  name: 'decode <BAM> & "VCF"',
  unit: 'MB/s',
  ours: 300,
  peers: { 'peer <1.0>': 100 },
  peer: 'peer <1.0>',
  ratio: 3,
  budget: 2,
  equal: true,
};
const plot = (...rows) => plotRatios('bgzf', toWorks(rows));
const count = (text, pattern) => text.match(pattern)?.length ?? 0;

describe('plotRatios', () => {
  it('has a title, and what each line says', () => {
    const svg = plot(row);
    expect(svg).toContain('<title id="title">bgzf: ratio of ours to each peer</title>');
    expect(svg).toContain('<title>peer &lt;1.0&gt;: 100 MB/s, ratio 3, ok</title>');
  });

  it('writes names as text, whatever they hold', () => {
    const svg = plot(row);
    expect(svg).toContain('>decode &lt;BAM&gt; &amp; &quot;VCF&quot;</text>');
    expect(svg).not.toContain('<BAM>');
  });

  it('marks a budget on the lines that have one', () => {
    const marks = (svg) => count(svg, /class="budget"/g);
    expect(marks(plot(row)) - marks(plot({ ...row, budget: null }))).toBe(1);
  });

  it('shows by its colour who is ahead', () => {
    const dots = (svg, kind) => count(svg, new RegExp(`<circle class="${kind}"`, 'g'));
    const inLegend = 1;
    expect(dots(plot(row), 'ours')).toBe(inLegend + 1);
    expect(dots(plot({ ...row, ratio: 0.5 }), 'peer')).toBe(inLegend + 1);
    expect(dots(plot({ ...row, ratio: 1 }), 'level')).toBe(inLegend + 1);
  });

  it('has a line for each peer and a wider margin for longer names', () => {
    const widthOf = (svg) => Number(/ width="(\d+)"/.exec(svg)[1]);
    const longer = { ...row, peers: { ...row.peers, [`peer ${'x'.repeat(60)}`]: 10 } };
    expect(count(plot(longer), /<g>/g)).toBe(2);
    expect(widthOf(plot(longer))).toBeGreaterThan(widthOf(plot(row)) + 200);
  });
});
