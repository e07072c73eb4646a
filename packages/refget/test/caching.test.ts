import { describe, expect, test } from 'vitest';
import { LINEAR, service } from './sequence-service.js';

const get = service();
const { md5, sha512t24u } = LINEAR.metadata;

describe('caching', () => {
  test.each([`"${sha512t24u}"`, `"x", W/"${sha512t24u}"`, '*'])(
    'If-None-Match %s is answered with 304, without a read',
    async (value) => {
      const before = LINEAR.reads.length;
      const response = await get(`/sequence/${md5}`, { headers: { 'if-none-match': value } });
      expect([response.status, response.headers.get('etag')]).toEqual([304, `"${sha512t24u}"`]);
      expect(response.headers.get('cache-control')).toContain('immutable');
      expect(await response.text()).toBe('');
      expect(LINEAR.reads).toHaveLength(before);
    },
  );

  test('an error is no 304', async () => {
    const response = await get(`/sequence/${md5}?start=99`, { headers: { 'if-none-match': '*' } });
    expect(response.status).toBe(400);
  });

  test.each([
    [`"${sha512t24u}"`, 206],
    ['"other"', 200],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 200],
  ])('If-Range %s with a Range is answered with %i', async (value, status) => {
    const response = await get(`/sequence/${md5}`, { headers: { 'if-range': value, range: 'bytes=0-1' } });
    expect(response.status).toBe(status);
  });
});
