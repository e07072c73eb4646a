import { expect, test } from 'vitest';
import { type Place, parsePlace, toFragment } from '../../page/route.js';

const PLACES: readonly (readonly [string, Exclude<Place, { view: 'unknown' }>])[] = [
  ['#/', { view: 'objects', search: '' }],
  ['#/?search=a%2Fb', { view: 'objects', search: 'a/b' }],
  ['#/reads/cohort/a%20b', { view: 'object', datatype: 'reads', id: 'cohort/a b', region: undefined }],
  [
    '#/variants/calls?region=%7BHLA%3A1%7D%3A1-2',
    { view: 'object', datatype: 'variants', id: 'calls', region: '{HLA:1}:1-2' },
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
  expect(parsePlace('')).toEqual({ view: 'objects', search: '' });
});
