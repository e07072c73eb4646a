import type { PermittedSamples } from '@htskit/protocol';
import { expect, test } from 'vitest';
import { RegionUnions, unitePermissions, uniteSamples } from '../../src/rules/unite-permissions.js';

const [a, b, c] = ['a', 'b', 'c'].map((referenceName) => [{ referenceName }]);

test('returns a single list itself, and one cached array for several lists', () => {
  const unions = new RegionUnions();
  expect(unions.get([a ?? []])).toBe(a);
  const both = unions.get([a ?? [], b ?? []]);
  expect(both).toEqual([{ referenceName: 'a' }, { referenceName: 'b' }]);
  expect(unions.get([a ?? [], b ?? []])).toBe(both);
  expect(unions.get([a ?? [], c ?? []])).toEqual([{ referenceName: 'a' }, { referenceName: 'c' }]);
});

test('drops the oldest of many unions', () => {
  const unions = new RegionUnions();
  const first = unions.get([a ?? [], b ?? []]);
  for (let i = 0; i < 16; i++) unions.get([a ?? [], [{ referenceName: `x${i}` }]]);
  expect(unions.get([a ?? [], b ?? []])).not.toBe(first);
  expect(unions.get([a ?? [], b ?? []])).toEqual(first);
});

test.each<[(PermittedSamples | undefined)[], PermittedSamples | undefined]>([
  [
    [['A'], ['B', 'A']],
    ['A', 'B'],
  ],
  [[['A'], undefined], undefined],
  [[{ except: ['A', 'B'] }, { except: ['B', 'C'] }], { except: ['B'] }],
  [[{ except: ['A', 'B'] }, ['A']], { except: ['B'] }],
])('the union of %j is %j', (permissions, union) => {
  expect(uniteSamples(permissions)).toEqual(union);
});

test('a permission for everything wins over several that have no union', () => {
  const limited = [{ regions: [{ referenceName: 'a' }] }, { samples: ['A'] }];
  expect(unitePermissions([...limited, {}], new RegionUnions())).toBe('all');
  expect(unitePermissions(limited, new RegionUnions())).toEqual({ regions: [{ referenceName: 'a' }] });
});

test('formats of several permissions add up, unless other limits differ, too', () => {
  const [bam, cram] = [{ formats: ['BAM'] as const }, { formats: ['CRAM', 'BAM'] as const }];
  const unions = new RegionUnions();
  expect(unitePermissions([bam, cram], unions)).toEqual({ regions: 'all', formats: ['BAM', 'CRAM'] });
  expect(unitePermissions([bam, {}], unions)).toBe('all');
  expect(unitePermissions([bam, { samples: ['A'] }], unions)).toEqual({ regions: 'all', formats: ['BAM'] });
  const both = { ...bam, regions: [{ referenceName: 'a' }] };
  expect(unitePermissions([both], unions)).toEqual({ regions: both.regions, formats: ['BAM'] });
});
