import { expect, test } from 'vitest';
import { objectPlace, type Place, parsePlace, toFragment } from '../../page/route.js';

const OBJECTS = { view: 'objects', search: '', kind: '', format: '', sort: '' } as const;
const READS = { ...objectPlace({ datatype: 'reads', id: 'a' }), region: 'chr1:1-9' };

const PLACES: readonly (readonly [string, Exclude<Place, { view: 'unknown' }>])[] = [
  ['#/', OBJECTS],
  ['#/?search=a%2Fb', { ...OBJECTS, search: 'a/b' }],
  ['#/?kind=reads&format=CRAM&sort=-size', { ...OBJECTS, kind: 'reads', format: 'CRAM', sort: '-size' }],
  ['#/reads/cohort/a%20b', objectPlace({ datatype: 'reads', id: 'cohort/a b' })],
  ['#/variants/calls?region=%7BHLA%3A1%7D%3A1-2', objectPlace({ datatype: 'variants', id: 'calls' }, '{HLA:1}:1-2')],
  ['#/reads/a?region=chr1%3A1-9&tab=delivery', { ...READS, tab: 'delivery' }],
  [
    '#/reads/a?region=chr1%3A1-9&tab=igv&track=variants%2Fb%2Cc&track=reads%2Fd',
    { ...READS, tab: 'igv', tracks: ['variants/b,c', 'reads/d'] },
  ],
  [
    '#/reads/a?region=chr1%3A1-9&excludeFlags=1024&minMappingQuality=20&samples=b%2Cc',
    { ...READS, filter: { excludeFlags: '1024', minMappingQuality: '20', samples: 'b,c' } },
  ],
  ['#/sequences', { view: 'sequences', search: '' }],
  ['#/collection/abc', { view: 'collection', digest: 'abc' }],
  ['#/comparison/a/b', { view: 'comparison', a: 'a', b: 'b' }],
];

test.each(PLACES)('the fragment %s stands for a place', (fragment, place) => {
  expect(parsePlace(fragment)).toEqual(place);
  expect(toFragment(place)).toBe(fragment);
});

test.each(['#/nowhere', '#/reads', '#/comparison/a'])('%s is unknown', (fragment) => {
  expect(parsePlace(fragment)).toEqual({ view: 'unknown' });
});

test('an empty fragment is the list of objects', () => {
  expect(parsePlace('')).toEqual(OBJECTS);
});

test('an unknown tab is the data', () => {
  expect(parsePlace('#/reads/a?tab=other')).toEqual(objectPlace({ datatype: 'reads', id: 'a' }));
});
