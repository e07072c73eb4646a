import { describe, expect, it } from 'vitest';
import { formatHeadlines, plotHeadlines, selectHeadlines } from '../report/headlines.mjs';

const row = {
  area: 'bgzf',
  name: 'decode BAM (4.2x) with CRC, one thread',
  unit: 'MB/s',
  ours: 300,
  peers: { 'fflate 0.8.3': 900, 'pako 3.0.3': 100, 'bgzip 1.16': 600 },
  peer: 'pako 3.0.3',
  ratio: 3,
  budget: 3,
  equal: true,
};
const other = { ...row, name: 'decode VCF (4.2x) with CRC, one thread', peers: { 'pako 3.0.3': 301 }, ratio: 0.997 };
const results = {
  machine: { cpu: 'Some CPU', processors: 2, memoryGiB: 8, system: 'Linux 6.1 x64' },
  date: '2030-01-02T03:04:05.678Z',
  seconds: 301,
  versions: {},
  rows: [row, other],
};

describe('selectHeadlines', () => {
  it('leaves out work and peers that were not measured, and work without peers', () => {
    const [headline, ...further] = selectHeadlines([
      row,
      { ...row, area: 'convert', name: 'CRAM to BAM, all processors' },
    ]);
    expect(headline).toMatchObject({ name: 'BGZF decoded, one thread', ours: 300 });
    expect(headline.comparisons.map(({ peer }) => peer)).toEqual(['pako 3.0.3', 'bgzip 1.16']);
    expect(further).toEqual([]);
  });
});

describe('formatHeadlines', () => {
  const text = formatHeadlines(results, { plotPath: 'plot.svg' });

  it('states the date, the duration and the machine', () => {
    expect(text).toContain(
      'Measured on 2030-01-02 in 6 minutes: Some CPU, 2 processors, 8 GiB of memory, Linux 6.1 x64.\n\n![Ratio of htskit to each peer](plot.svg)',
    );
  });

  it('names the leader of each comparison', () => {
    expect(text).toContain(`| BGZF decoded, one thread | MB/s |    300 | pako 3.0.3 |   100 |     3 | htskit |
|                          |      |        | bgzip 1.16 |   600 |   0.5 | peer   |`);
  });

  it('counts all comparisons of each area', () => {
    expect(text).toContain(`| bgzf |           4 |            1 |     1 |          2 |
| all  |           4 |            1 |     1 |          2 |`);
  });
});

describe('plotHeadlines', () => {
  it('draws the headlines alone', () => {
    const svg = plotHeadlines(results);
    expect(svg).toContain('>BGZF decoded, one thread</text>');
    expect(svg).not.toContain('fflate');
  });
});
