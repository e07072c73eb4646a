import { describe, expect, test } from 'vitest';
import { accept, EMPTY, LINEAR, service, TEXT_TYPE } from './sequence-service.js';

const get = service();
const { md5, sha512t24u } = LINEAR.metadata;

// What is answered to which request is in the table of answers.

test('a whole sequence has these headers and no others', async () => {
  const response = await get(`/sequence/${md5}`);
  expect(Object.fromEntries(response.headers)).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': '10',
    'content-type': TEXT_TYPE,
    etag: `"${sha512t24u}"`,
    vary: 'Accept, Origin',
  });
});

describe('nothing is read', () => {
  test.each([
    ['an empty sequence', EMPTY, `/sequence/${EMPTY.metadata.md5}`, {}],
    ['an empty part', LINEAR, `/sequence/${md5}?start=5&end=5`, {}],
    ['HEAD', LINEAR, `/sequence/${md5}`, { method: 'HEAD' }],
    ['what the client has', LINEAR, `/sequence/${md5}`, { headers: { 'if-none-match': '*' } }],
  ] as const)('for %s', async (_, sequence, path, init) => {
    const before = sequence.reads.length;
    const response = await get(path, init);
    expect(await response.text()).toBe('');
    expect(sequence.reads).toHaveLength(before);
  });
});

test('a part reads its bases and no others', async () => {
  const before = LINEAR.reads.length;
  await (await get(`/sequence/${md5}`, { headers: { range: 'bytes=2-4' } })).text();
  expect(LINEAR.reads.slice(before)).toEqual([{ start: 2, end: 5 }]);
});

test('every format has an entity tag of its own', async () => {
  const formats = ['text/plain', 'application/json', 'text/x-fasta'];
  const responses = await Promise.all(formats.map((format) => get(`/sequence/${md5}`, accept(format))));
  expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(3);
});
