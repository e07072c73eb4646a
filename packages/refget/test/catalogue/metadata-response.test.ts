import { describe, expect, test } from 'vitest';
import { accept, JSON_TYPE, LINEAR, service } from '../sequence-service.js';

const get = service();
const { md5, sha512t24u, trunc512 } = LINEAR.metadata;

describe('metadata', () => {
  test('has every digest, the aliases and the requested id', async () => {
    const response = await get(`/sequence/${md5}/metadata`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, JSON_TYPE]);
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(JSON.parse(text)).toEqual({
      metadata: {
        id: md5,
        md5,
        ga4gh: sha512t24u,
        trunc512,
        length: 10,
        aliases: [
          { alias: 'X.1', naming_authority: 'insdc' },
          { alias: 'twin', naming_authority: 'insdc' },
        ],
        circular: false,
      },
    });
  });

  test('uses the authority of Accept, or of the settings, as its key', async () => {
    const named = await get(`/sequence/${md5}/metadata`, accept('application/vnd.std.refget.v2.0.0+json'));
    expect(await named.json()).toMatchObject({ metadata: { std: sha512t24u } });
    const set = await service({ authority: 'std' })(`/sequence/${md5}/metadata`);
    expect(await set.json()).toMatchObject({ metadata: { std: sha512t24u } });
  });

  test('is revalidated by its entity tag', async () => {
    const path = `/sequence/${md5}/metadata`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});
