import { describe, expect, test } from 'vitest';
import { type HtsgetPath, parseHtsgetPath } from '../src/path.js';

const NO_OBJECT = { kind: 'unknown', message: 'there is no object with this id' } as const;

describe('parseHtsgetPath', () => {
  test.each<[string, HtsgetPath]>([
    ['/reads/NA12878', { kind: 'ticket', datatype: 'reads', id: 'NA12878' }],
    ['/variants/cohort/a%2Fb%20c', { kind: 'ticket', datatype: 'variants', id: 'cohort/a/b c' }],
    ['/reads/service-info', { kind: 'service-info', datatype: 'reads' }],
    ['/reads/service-info/x', { kind: 'ticket', datatype: 'reads', id: 'service-info/x' }],
    ['/blocks/e30.AAAA', { kind: 'block', token: 'e30.AAAA' }],
    ['/reads/a%2F..%2Fb', NO_OBJECT],
    ['/reads/a//b', NO_OBJECT],
    ['/reads/a%2F.', NO_OBJECT],
    ['/reads/a/', NO_OBJECT],
    ['/reads/a%00', NO_OBJECT],
    ['/reads/%ff', NO_OBJECT],
  ])('classifies %s', (pathname, path) => {
    expect(parseHtsgetPath(pathname)).toEqual(path);
    expect(parseHtsgetPath(`/api/htsget${pathname}`, '/api/htsget')).toEqual(path);
  });

  test.each(['/', '/reads', '/reads/', '/writes/a', '', '/Reads/a'])('has no resource at %j', (pathname) => {
    const message = 'no htsget resource at this path; expected /reads/ID or /variants/ID';
    expect(parseHtsgetPath(pathname)).toEqual({ kind: 'unknown', message });
  });

  test('has no resource outside of the prefix', () => {
    expect(parseHtsgetPath('/reads/a', '/htsget')).toMatchObject({ kind: 'unknown' });
    expect(parseHtsgetPath('/htsget', '/htsget')).toMatchObject({ kind: 'unknown' });
  });
});
