import { describe, expect, it } from 'vitest';
import { toWorks } from '../report/comparisons.mjs';

const row = {
  area: 'bgzf',
  name: 'decode',
  unit: 'MB/s',
  ours: 300,
  peers: { 'b 1.0': 100, 'a 2.0': 200, 'c 3.0': 400 },
  peer: 'a 2.0',
  ratio: 1.5,
  budget: 1,
  equal: true,
};

describe('toWorks', () => {
  it('compares with every peer, in the order of the row', () => {
    const [{ comparisons }, ...others] = toWorks([row]);
    expect(others).toEqual([]);
    expect(comparisons).toEqual([
      { peer: 'b 1.0', value: 100, ratio: 3, budget: null, leader: 'ours', verdict: '' },
      { peer: 'a 2.0', value: 200, ratio: 1.5, budget: 1, leader: 'ours', verdict: 'ok' },
      { peer: 'c 3.0', value: 400, ratio: 0.75, budget: null, leader: 'peer', verdict: 'peer ahead' },
    ]);
  });

  it('takes the higher of two budgets for one peer, and the ratio of its row', () => {
    const lower = { ...row, budget: null };
    const works = toWorks([lower, { ...row, budget: 2 }]);
    expect(works).toHaveLength(1);
    expect(works[0].comparisons[1]).toEqual({
      peer: 'a 2.0',
      value: 200,
      ratio: 1.5,
      budget: 2,
      leader: 'ours',
      verdict: 'below budget',
    });
  });

  it('reports both a missed budget and a peer that is ahead', () => {
    const [{ comparisons }] = toWorks([{ ...row, peer: 'c 3.0', ratio: 0.75, budget: 0.8 }]);
    expect(comparisons[2].verdict).toBe('below budget, peer ahead');
  });

  it.each([0.99, 1, 1.01])('counts a ratio of %f as level', (ratio) => {
    const [{ comparisons }] = toWorks([{ ...row, ratio }]);
    expect(comparisons[1]).toMatchObject({ leader: 'level', verdict: ratio < 1 ? 'below budget' : 'ok' });
  });

  it.each([
    [0.989, 'peer'],
    [1.02, 'ours'],
  ])('counts a ratio of %f as a lead', (ratio, leader) => {
    expect(toWorks([{ ...row, ratio }])[0].comparisons[1].leader).toBe(leader);
  });

  it.each(['before', 'measured'])('finds no leader against the peer %s', (peer) => {
    const [{ comparisons }] = toWorks([{ ...row, peers: { [peer]: 400 }, peer, ratio: 0.75, budget: null }]);
    expect(comparisons).toEqual([{ peer, value: 400, ratio: 0.75, budget: null, leader: 'none', verdict: '' }]);
  });

  it('gives no other verdict if the outputs differ', () => {
    const [{ equal, comparisons }] = toWorks([row, { ...row, peer: 'b 1.0', ratio: 3, equal: false }]);
    expect(equal).toBe(false);
    expect(comparisons.map(({ verdict }) => verdict)).toEqual(new Array(3).fill('outputs differ'));
  });

  it('keeps works of the same name in two areas apart', () => {
    expect(toWorks([row, { ...row, area: 'digest' }]).map(({ area }) => area)).toEqual(['bgzf', 'digest']);
  });
});
