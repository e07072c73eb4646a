import { parseHtsgetGet, parseHtsgetPost } from '@htskit/protocol';
import { describe, expect, test } from 'vitest';
import { type HtsgetClientQuery, toTicketRequest } from '../../src/htsget/query.js';

const endpoint = { baseUrl: 'https://host/htsget/', datatype: 'reads', id: 'a/b c' } as const;
const FULL = {
  format: 'CRAM',
  fields: ['QNAME', 'POS'],
  tags: [],
  notags: ['MD', 'NM'],
} as const;
const REGION = { referenceName: 'chr1:1&x', start: 0, end: 2 ** 40 };

describe('a query', () => {
  test('is written so that a server reads the same from a URL and from a body', () => {
    const byGet = new URL(toTicketRequest(endpoint, { ...FULL, ...REGION }).url);
    const { url, body = '' } = toTicketRequest(endpoint, { ...FULL, regions: [REGION, REGION] });
    const fromUrl = parseHtsgetGet('reads', byGet.searchParams);
    const fromBody = parseHtsgetPost('reads', new URL(url).searchParams, body);
    expect(fromUrl).toEqual({ datatype: 'reads', ...FULL, regions: [REGION] });
    expect(fromBody).toEqual({ ...fromUrl, regions: [REGION, REGION] });
    expect([byGet.pathname, url]).toEqual(['/htsget/reads/a/b%20c', 'https://host/htsget/reads/a/b%20c']);
  });

  test('has the bytes of a name that is not UTF-8', () => {
    const { url } = toTicketRequest('https://host/reads/1?key=a%20b&referenceName=x', { referenceName: 'c\udce9é' });
    expect(url).toBe('https://host/reads/1?key=a+b&referenceName=c%E9%C3%A9');
    const regions = [{ referenceName: 'c\udce9' }, { referenceName: 'c\udce8' }];
    const { body = '' } = toTicketRequest(endpoint, { regions });
    expect(body).toBe('{"regions":[{"referenceName":"c\\udce9"},{"referenceName":"c\\udce8"}]}');
  });

  test('without anything asks for the whole file', () => {
    expect(toTicketRequest(endpoint, {})).toEqual({
      url: 'https://host/htsget/reads/a/b%20c',
      method: 'GET',
      format: 'BAM',
      isHeader: false,
    });
  });

  test('is added to what a URL asks for', () => {
    const request = toTicketRequest('https://host/reads/1?key=k&format=cram', { class: 'header' });
    expect(request).toMatchObject({
      url: 'https://host/reads/1?key=k&format=cram&class=header',
      format: 'CRAM',
      isHeader: true,
    });
  });

  test.each<[string, HtsgetClientQuery]>([
    ['a start without a reference', { start: 1 }],
    ['a fraction', { referenceName: '1', start: 0.5 }],
    ['a negative end', { referenceName: '1', end: -1 }],
    ['no regions', { regions: [] }],
    ['regions and a reference', { regions: [REGION], referenceName: '1' }],
  ])('is refused with %s', (_, query) => {
    expect(() => toTicketRequest(endpoint, query)).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }));
  });

  test.each(['', '.', 'a/../b'])('is refused for the id %o', (id) => {
    expect(() => toTicketRequest({ ...endpoint, id }, {})).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }));
  });

  test.each(['reads/1', 'file:///reads/1', 'https://user@host/reads/1'])('is refused for the URL %s', (url) => {
    expect(() => toTicketRequest(url, {})).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }));
  });

  test('of several regions is refused by GET', () => {
    const query = { regions: [REGION, REGION] };
    expect(() => toTicketRequest(endpoint, query, 'GET')).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }));
  });
});
