import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sequenceCollection } from '@htskit/sequences';
import { collectSlowly } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '../../src/catalogue/catalogue.js';
import { createCollectionCatalogue } from '../../src/collection/collection-catalogue.js';
import { compress } from '../../src/collection/compress.js';
import { createRefgetHandler } from '../../src/handler.js';

const MEMBERS = Array.from({ length: 20_000 }, (_, index) => ({
  name: `contig${index}`,
  metadata: { length: index, sha512t24u: 'SQ.AcLxtBuKEPk_7PGE_H4dGElwZHCujwH6' },
}));
const collection = await sequenceCollection(MEMBERS);
const short = await sequenceCollection(MEMBERS.slice(0, 2));
const handle = createRefgetHandler({
  catalogue: createCatalogue([]),
  collections: createCollectionCatalogue([collection, short]),
});

function get(path: string, acceptEncoding?: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (acceptEncoding !== undefined) headers.set('accept-encoding', acceptEncoding);
  return handle(new Request(`http://localhost${path}`, { ...init, headers }));
}

const LEVEL_2 = `/collection/${collection.digest}`;
const bytesOf = ({ body }: Response): Promise<Buffer> => collectSlowly(body ?? []);

describe.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('%s', (coding, decompress) => {
  test.each([LEVEL_2, `/attribute/collection/names/${collection.attributes.names.digest}`, '/service-info'])(
    'compresses %s',
    async (path) => {
      const plain = await get(path);
      const encoded = await get(path, coding);
      expect(encoded.headers.get('content-encoding')).toBe(coding);
      expect(encoded.headers.get('content-length')).toBeNull();
      for (const { headers } of [plain, encoded]) {
        expect(headers.get('vary')?.split(', ')).toEqual(expect.arrayContaining(['Accept', 'Accept-Encoding']));
      }
      const [expected, bytes] = [await bytesOf(plain), await bytesOf(encoded)];
      expect(decompress(bytes)).toEqual(expected);
      expect(bytes.length).toBeLessThan(expected.length / 2);
    },
  );

  test('has an entity tag of its own, which is revalidated', async () => {
    const [plain, encoded] = [await get(LEVEL_2), await get(LEVEL_2, coding)];
    const [plainTag, encodedTag] = [plain, encoded].map(({ headers }) => headers.get('etag') ?? '');
    expect(encodedTag).toMatch(/^"[\w.-]+"$/);
    expect(encodedTag).not.toBe(plainTag);
    await Promise.all([plain.body?.cancel(), encoded.body?.cancel()]);
    const revalidate = async (tag = '', acceptEncoding?: string): Promise<unknown[]> => {
      const response = await get(LEVEL_2, acceptEncoding, { headers: { 'if-none-match': tag } });
      await response.body?.cancel();
      return [response.status, response.headers.get('etag')];
    };
    expect(await revalidate(encodedTag, coding)).toEqual([304, encodedTag]);
    expect(await revalidate(encodedTag)).toEqual([200, plainTag]);
    expect(await revalidate(plainTag, coding)).toEqual([200, encodedTag]);
  });

  test('HEAD has the headers of GET', async () => {
    const response = await get(LEVEL_2, coding, { method: 'HEAD' });
    expect([response.headers.get('content-encoding'), response.headers.get('content-length')]).toEqual([coding, null]);
    expect(await response.text()).toBe('');
  });

  test('is not used for short documents', async () => {
    const response = await get(`/collection/${short.digest}?level=1`, coding);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('content-length')).toBe(String((await bytesOf(response)).length));
  });

  test('compresses at most four responses at once, and sends further ones as they are', async () => {
    const responses: Response[] = [];
    for (let index = 0; index < 6; index++) responses.push(await get(LEVEL_2, coding));
    const codings = responses.map(({ headers }) => headers.get('content-encoding'));
    expect(codings).toEqual([coding, coding, coding, coding, null, null]);
    expect(responses[4]?.headers.get('etag')).toBe(`"${collection.digest}.2"`);
    await responses[0]?.body?.cancel();
    await responses[1]?.arrayBuffer();
    for (let index = 0; index < 2; index++) responses.push(await get(LEVEL_2, coding));
    expect(responses.slice(6).map(({ headers }) => headers.get('content-encoding'))).toEqual([coding, coding]);
    for (const { body, bodyUsed } of responses) if (!bodyUsed) await body?.cancel();
  });
});

test('runtimes without zlib write gzip with CompressionStream', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (const text of ['ACGT', '', 'TTTT']) yield new TextEncoder().encode(text);
  }
  const parts: Uint8Array[] = [];
  for await (const part of compress(chunks(), 'gzip')) parts.push(part);
  expect(gunzipSync(Buffer.concat(parts)).toString()).toBe('ACGTTTTT');
  await expect(compress(chunks(), 'br').next()).rejects.toThrow(RangeError);
});
