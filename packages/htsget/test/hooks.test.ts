import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { HtsgetEvent } from '../src/index.js';
import { peekBlockToken } from '../src/internal.js';
import { fixtureFile, fixtureHandler } from './fixture-files.js';
import { fetchBlocks, fetchFile, fetchTicket, PUBLIC_URL } from './read-ticket.js';

function recorder() {
  const events: Extract<HtsgetEvent, { type: 'ticket' | 'block' }>[] = [];
  const lookups: string[] = [];
  const handler = fixtureHandler({
    onEvent(event) {
      if (event.type === 'cache') lookups.push(`${event.cache} ${event.isHit ? 'hit' : 'miss'}`);
      else if (event.type !== 'access') events.push(event);
    },
  });
  return { events, lookups, handler };
}

test('reports a ticket and each of its blocks, without URL, header or token', async () => {
  const { events, handler } = recorder();
  const init = { headers: { authorization: 'Bearer secret' } };
  const ticket = await fetchTicket(handler, '/reads/reads.bam?referenceName=chr1&start=1000&end=9000', init);
  expect(events).toEqual([
    {
      type: 'ticket',
      datatype: 'reads',
      id: 'reads.bam',
      format: 'BAM',
      blocks: 3,
      plannedBytes: expect.any(Number) as number,
      milliseconds: expect.any(Number) as number,
    },
  ]);
  const inline = ticket.htsget.urls.filter(({ url }) => url.startsWith('data:'));
  const inlineBytes = inline.reduce((sum, { url }) => sum + Buffer.from(url.slice(13), 'base64').length, 0);
  const bytes = (await fetchBlocks(handler, ticket)).length - inlineBytes;
  expect(events[1]).toMatchObject({
    type: 'block',
    datatype: 'reads',
    id: 'reads.bam',
    format: 'BAM',
    plannedBytes: expect.any(Number) as number,
    bytes,
    isComplete: true,
  });
  expect(events).toHaveLength(2);
  expect(JSON.stringify(events)).not.toMatch(/secret|http|Bearer/);
});

test('reports VCFTEXT as the format that is sent', async () => {
  const { events, handler } = recorder();
  await fetchFile(handler, '/variants/variants.vcf.gz?format=VCFTEXT');
  expect(events.map(({ type, format }) => [type, format])).toEqual([
    ['ticket', 'VCFTEXT'],
    ['block', 'VCFTEXT'],
  ]);
});

test('reports a block that was broken off as incomplete', async () => {
  const { events, handler } = recorder();
  const { htsget } = await fetchTicket(handler, '/reads/reads.bam');
  const response = await handler(new Request(htsget.urls[1]?.url ?? ''));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(events.at(-1)).toMatchObject({ type: 'block', isComplete: false });
});

test('an onEvent that throws fails no request and is reported to onError', async () => {
  const failure = new Error('no disk for metrics');
  const errors: unknown[] = [];
  const handler = fixtureHandler({
    onEvent() {
      throw failure;
    },
    onError: (error) => errors.push(error),
  });
  const ticket = await fetchTicket(handler, '/reads/reads.bam');
  expect((await fetchBlocks(handler, ticket)).length).toBeGreaterThan(100_000);
  // One each for the lookups of the header and the index, two for the ticket and two for its block.
  expect(errors).toEqual(Array.from({ length: 6 }, () => failure));
});

test('reports cache lookups and whether they hit', async () => {
  const { lookups, handler } = recorder();
  const path = '/reads/reads.bam?referenceName=chr1&start=1000&end=9000';
  await fetchTicket(handler, path);
  expect(lookups).toEqual(['header miss', 'index miss']);
  await fetchTicket(handler, path);
  expect(lookups.slice(2)).toEqual(['header hit', 'index hit']);
});

test('plannedBytes of a range counts that range only', async () => {
  const { events, handler } = recorder();
  const { htsget } = await fetchTicket(handler, '/reads/no-eof.bam');
  const url = htsget.urls.find((block) => block.url.startsWith('http'))?.url ?? '';
  await (await handler(new Request(url, { headers: { range: 'bytes=0-999' } }))).arrayBuffer();
  expect(events.at(-1)).toMatchObject({ type: 'block', plannedBytes: 1000, bytes: 1000 });
});

test('peekBlockToken reads the object of a token without its key, and undefined from other text', async () => {
  const { handler } = recorder();
  const { htsget } = await fetchTicket(handler, '/reads/reads.bam');
  const token = htsget.urls.find(({ url }) => url.startsWith('http'))?.url.split('/blocks/')[1] ?? '';
  expect(peekBlockToken(token)).toEqual({ datatype: 'reads', id: 'reads.bam' });
  for (const other of ['', '.', 'e30.x', 'bnVsbA.x', `${btoa('{"datatype":"reads","id":1}')}.x`, '%%.x']) {
    expect(peekBlockToken(other)).toBeUndefined();
  }
});

test('HEAD of a block, an error and service-info cause no event', async () => {
  const { events, handler } = recorder();
  const { htsget } = await fetchTicket(handler, '/reads/reads.bam');
  await handler(new Request(htsget.urls[1]?.url ?? '', { method: 'HEAD' }));
  await handler(new Request(`${PUBLIC_URL}/reads/nothing`));
  await handler(new Request(`${PUBLIC_URL}/reads/service-info`));
  expect(events.map(({ type }) => type)).toEqual(['ticket']);
});

test.each([
  '/reads/reads.bam?class=header',
  '/reads/reads.bam?referenceName=chrUn_1',
  '/reads/empty.cram?format=CRAM&referenceName=chr1',
  '/variants/variants.vcf.gz?class=header&format=VCFTEXT',
])('a ticket that is wholly inline has an MD5: %s', async (path) => {
  const ticket = await fetchTicket(fixtureHandler(), path);
  const file = await fetchBlocks(fixtureHandler(), ticket);
  expect(ticket.htsget.md5).toBe(createHash('md5').update(file).digest('hex'));
});

test('no ticket with a block URL has an MD5', async () => {
  expect((await fetchTicket(fixtureHandler(), '/reads/reads.bam')).htsget).not.toHaveProperty('md5');
  const handler = fixtureHandler({ limits: { inlineBytes: 0 } }, { a: [fixtureFile('reads.bam')] });
  expect((await fetchTicket(handler, '/reads/a?class=header')).htsget).not.toHaveProperty('md5');
});
