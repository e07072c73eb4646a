import { describe, expect, it } from 'vitest';
import { formatMarkdown } from '../report/markdown.mjs';

const about = {
  machine: { cpu: 'Some CPU @ 2 GHz', processors: 2, memoryGiB: 8, system: 'Linux 6.1 x64' },
  date: '2030-01-02T03:04:05.678Z',
  versions: { node: '20.20.2', pako: '3.0.3' },
};
const row = {
  area: 'bgzf',
  name: 'a|b',
  unit: 'MB/s',
  ours: 300,
  peers: { 'pako 3.0.3': 100, 'x_y 1.0': 600 },
  peer: 'pako 3.0.3',
  ratio: 3,
  budget: 3,
  equal: true,
};
const format = (rows) => formatMarkdown({ ...about, rows }, { plotPath: (area) => `plots/${area}.svg` });

describe('formatMarkdown', () => {
  it('states the date, the machine and the versions', () => {
    expect(format([row])).toContain(
      'Measured on 2030-01-02: Some CPU @ 2 GHz, 2 processors, 8 GiB of memory, Linux 6.1 x64.\n\nWith node 20.20.2, pako 3.0.3.',
    );
  });

  it('writes a section for each area, with its plot and an aligned table', () => {
    expect(format([row])).toContain(`## bgzf

The peer is ahead in 1 of 2 comparisons; 1 of 1 budgets are met.

![Ratios of bgzf to each peer](plots/bgzf.svg)

| what | unit | ours | peer       | value | ratio | log scale         | budget | verdict    |
| ---- | ---- | ---: | ---------- | ----: | ----: | ----------------- | -----: | ---------- |
| a\\|b | MB/s |  300 | pako 3.0.3 |   100 |     3 | \`······┃███·····\` |      3 | ok         |
|      |      |      | x\\_y 1.0   |   600 |   0.5 | \`····██┃········\` |        | peer ahead |`);
  });

  it('does not count comparisons with the state before the work', () => {
    expect(format([row, { ...row, name: 'memory', peers: { before: 1 }, peer: 'before', budget: null }])).toContain(
      'The peer is ahead in 1 of 2 comparisons; 1 of 1 budgets are met.',
    );
  });

  it('orders the areas as the rows do', () => {
    const headings = format([row, { ...row, area: 'digest' }, row]).match(/^## .*/gm);
    expect(headings).toEqual(['## The run', '## bgzf', '## digest']);
  });

  it('states that no budget is set', () => {
    expect(format([{ ...row, budget: null }])).toContain('; no budget is set.');
  });
});
