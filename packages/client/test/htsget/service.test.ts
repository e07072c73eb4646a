import { bgunzip, decodeBam, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { fetchTicket, openHtsget, streamTicket } from '../../src/index.js';
import { collect } from '../listen.js';
import { fixtureService, READS } from './fixture-service.js';

describe('from a service of htskit', () => {
  test.each([
    ['reads', READS, 'BAM', 'reads.bam'],
    ['variants', 'variants', 'BCF', 'variants.bcf'],
    ['variants', 'variants', 'VCF', 'variants.vcf.gz'],
  ] as const)('a whole file comes: %s %s as %s', async (datatype, id, format, name) => {
    const baseUrl = await fixtureService();
    const { stream, ticket } = await openHtsget({ baseUrl, datatype, id }, { format });
    const found = Buffer.from(bgunzip(await collect(stream)));
    expect(found.equals(bgunzip(readFixture(name)))).toBe(true);
    expect(ticket.htsget.format).toBe(format);
  });

  test('a CRAM file comes as it is', async () => {
    const baseUrl = await fixtureService();
    const { stream } = await openHtsget({ baseUrl, datatype: 'reads', id: READS }, { format: 'CRAM' });
    expect(Buffer.from(await collect(stream)).equals(readFixture('reads.cram'))).toBe(true);
  });

  test('a region comes by GET and by POST, and several by POST', async () => {
    const baseUrl = await fixtureService();
    const endpoint = { baseUrl, datatype: 'reads', id: READS } as const;
    const region = { referenceName: 'chr1', start: 1000, end: 20_000 };
    const byGet = await collect((await openHtsget(endpoint, region)).stream);
    const byPost = await collect((await openHtsget(endpoint, region, { method: 'POST' })).stream);
    const regions = [region, { referenceName: 'chr2' }];
    const several = await collect((await openHtsget(endpoint, { regions })).stream);
    expect(Buffer.from(byPost).equals(byGet)).toBe(true);
    expect(decodeBam(byGet).records.length).toBeGreaterThan(10);
    expect(decodeBam(several).records.length).toBeGreaterThan(decodeBam(byGet).records.length);
  });

  test('header and body come by themselves', async () => {
    const ticket = await fetchTicket(`${await fixtureService()}/reads/${READS}`, { referenceName: 'chr1' });
    const parts = await Promise.all(
      (['header', 'body'] as const).map((blockClass) => collect(streamTicket(ticket, { class: blockClass }))),
    );
    expect(Buffer.concat(parts).equals(await collect(streamTicket(ticket)))).toBe(true);
    expect(parts.every((part) => part.length > 0)).toBe(true);
  });

  test('a header comes without an end', async () => {
    const { stream } = await openHtsget(`${await fixtureService()}/reads/${READS}?class=header`);
    expect(bgunzip(await collect(stream)).subarray(0, 4)).toEqual(Uint8Array.of(0x42, 0x41, 0x4d, 1));
  });

  test('an error has the name and message of the service', async () => {
    const endpoint = { baseUrl: await fixtureService(), datatype: 'reads', id: 'none' } as const;
    await expect(fetchTicket(endpoint)).rejects.toMatchObject({
      name: 'HtsgetClientError',
      code: 'SERVER_ERROR',
      status: 404,
      error: 'NotFound',
      isTransient: false,
    });
  });
});
