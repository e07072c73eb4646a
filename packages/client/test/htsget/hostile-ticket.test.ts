import type { Ticket } from '@htskit/protocol';
import { expect, test } from 'vitest';
import { fetchTicket, parseTicket, streamTicket } from '../../src/index.js';
import { collect, listen } from '../listen.js';

/** The origin of a service that answers with this text. */
function serviceOf(text: string): Promise<string> {
  return listen((_request, response) => response.end(text));
}

test('a ticket of a million blocks is refused at little cost', async () => {
  const block = '{"url":"https://blocks/1"}';
  const text = `{"htsget":{"format":"BAM","urls":[${block}${`,${block}`.repeat(1_000_000)}]}}`;
  await expect(fetchTicket(await serviceOf(text))).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a ticket that nests thousands deep is refused', () => {
  const text = `{"htsget":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(() => parseTicket(text)).toThrow(expect.objectContaining({ code: 'INVALID_TICKET' }));
});

test('inline blocks take memory as they come, not as they are announced', async () => {
  const block = { url: `data:;base64,${'AAAA'.repeat(1000)}`, class: 'body' } as const;
  const ticket: Ticket = { htsget: { format: 'VCFTEXT', urls: Array.from({ length: 2000 }, () => block) } };
  const stream = streamTicket(ticket, { class: 'body', bytesAhead: 10_000 });
  expect((await collect(stream)).length).toBe(2000 * 3000);
});

test('a ticket without blocks is TRUNCATED', async () => {
  const ticket: Ticket = { htsget: { format: 'BAM', urls: [] } };
  await expect(collect(streamTicket(ticket))).rejects.toMatchObject({ code: 'TRUNCATED' });
});

test('an inline block with invalid Base64 fails before any request', async () => {
  const urls = [{ url: 'http://127.0.0.1:1/' }, { url: 'data:;base64,!' }];
  const reading = collect(streamTicket({ htsget: { format: 'VCFTEXT', urls } }));
  await expect(reading).rejects.toMatchObject({ code: 'INVALID_TICKET' });
});

test('a URL with a scheme of its own is refused also where the ticket was not parsed here', async () => {
  const ticket: Ticket = { htsget: { format: 'VCFTEXT', urls: [{ url: 'file:///etc/passwd' }] } };
  expect(() => streamTicket(ticket)).toThrow(expect.objectContaining({ code: 'INVALID_TICKET' }));
});

test('a header that would hide another one is refused also where the ticket was not parsed here', async () => {
  const urls = [{ url: 'http://127.0.0.1:1/', headers: { a: 'b\r\nc: d' } }];
  expect(() => streamTicket({ htsget: { format: 'VCFTEXT', urls } })).toThrow(
    expect.objectContaining({ code: 'INVALID_TICKET' }),
  );
});
