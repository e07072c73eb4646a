import { describe, expect, test } from 'vitest';
import { accept, EMPTY, LINEAR, service, TEXT_TYPE } from '../sequence-service.js';

const get = service();
const { md5, sha512t24u } = LINEAR.metadata;

// The responses to each kind of request are in the table of answers.

test('sends these headers and no others with a whole sequence', async () => {
  const response = await get(`/sequence/${md5}`);
  expect(Object.fromEntries(response.headers)).toEqual({
    'accept-ranges': 'bytes',
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': '10',
    'content-type': TEXT_TYPE,
    etag: `"${sha512t24u}"`,
    vary: 'Accept, Origin',
  });
});

describe('reads nothing', () => {
  test.each([
    ['an empty sequence', EMPTY, `/sequence/${EMPTY.metadata.md5}`, {}],
    ['an empty part', LINEAR, `/sequence/${md5}?start=5&end=5`, {}],
    ['HEAD', LINEAR, `/sequence/${md5}`, { method: 'HEAD' }],
    ['a sequence that the client has cached', LINEAR, `/sequence/${md5}`, { headers: { 'if-none-match': '*' } }],
  ] as const)('for %s', async (_, sequence, path, init) => {
    const before = sequence.reads.length;
    const response = await get(path, init);
    expect(await response.text()).toBe('');
    expect(sequence.reads).toHaveLength(before);
  });
});

test('reads exactly the bases of a part', async () => {
  const before = LINEAR.reads.length;
  await (await get(`/sequence/${md5}`, { headers: { range: 'bytes=2-4' } })).text();
  expect(LINEAR.reads.slice(before)).toEqual([{ start: 2, end: 5 }]);
});

test('has an entity tag for each format', async () => {
  const formats = ['text/plain', 'application/json', 'text/x-fasta'];
  const responses = await Promise.all(formats.map((format) => get(`/sequence/${md5}`, accept(format))));
  expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(3);
});
