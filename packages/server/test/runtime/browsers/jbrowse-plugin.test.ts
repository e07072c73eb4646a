import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { JBrowsePlugin } from '../../../src/runtime/browsers/jbrowse-plugin.js';

const SCRIPT = Buffer.from('the script');
const assets = {
  find: (name: string) =>
    Promise.resolve(
      name === 'jbrowse/htskit.umd.js'
        ? {
            mediaType: 'text/javascript; charset=utf-8',
            bytes: SCRIPT,
            gzipped: () => Promise.resolve(gzipSync(SCRIPT)),
          }
        : undefined,
    ),
};
const plugin = new JBrowsePlugin(assets);

async function request(path: string, headers: Record<string, string> = {}): Promise<Response | undefined> {
  const answer = await plugin.answer(new Request(`http://localhost${path}`, { headers }), path);
  return (
    answer &&
    new Response(answer.body as BodyInit | null, { status: answer.status, headers: answer.headers as HeadersInit })
  );
}

test('sends the script to pages and workers of all origins', async () => {
  const response = await request('/jbrowse/htskit.umd.js', { origin: 'https://jbrowse.example.org' });
  expect(await response?.text()).toBe('the script');
  expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': '10',
    'access-control-allow-origin': 'https://jbrowse.example.org',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding, Origin',
  });
});

test('compresses it, with an entity tag of its own', async () => {
  const plain = await request('/jbrowse/htskit.umd.js');
  const gzipped = await request('/jbrowse/htskit.umd.js', { 'accept-encoding': 'gzip' });
  expect(gzipped?.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(new Uint8Array((await gzipped?.arrayBuffer()) ?? []))).toEqual(SCRIPT);
  expect(gzipped?.headers.get('etag')).not.toBe(plain?.headers.get('etag'));
});

test('answers 304 if the client has the current script', async () => {
  const etag = (await request('/jbrowse/htskit.umd.js'))?.headers.get('etag') ?? '';
  const response = await request('/jbrowse/htskit.umd.js', { 'if-none-match': etag });
  expect([response?.status, response?.headers.get('etag'), await response?.text()]).toEqual([304, etag, '']);
  expect((await request('/jbrowse/htskit.umd.js', { 'if-none-match': '"other"' }))?.status).toBe(200);
});

test.each(['/jbrowse/htskit.esm.js', '/jbrowse/other.js', '/jbrowse/../htskit.umd.js'])(
  'has nothing at %s',
  async (path) => {
    expect(await request(path)).toBeUndefined();
  },
);
