import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixturePath } from '@htskit/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { explainUrl } from '../../../src/commands/ticket/explain-url.js';
import { formatExplanation } from '../../../src/commands/ticket/ticket-command.js';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';

const WHOLE = { regions: [], isHeaderOnly: false };

describe('a ticket of this server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const paths = [fixturePath('reads.bam'), fixturePath('variants.vcf.gz')];
    server = await serve({ paths, host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
  });
  afterAll(() => server.close());

  test('lists its blocks without anything that grants access', async () => {
    const explanation = await explainUrl(`${server.url}/reads/reads?token=secret`, {
      ...WHOLE,
      regions: ['chr1:5-900'],
    });
    expect(explanation).toMatchObject({
      source: `${server.url}/reads/reads`,
      format: 'BAM',
      regions: [{ referenceName: 'chr1', start: 4, end: 900 }],
      blocks: [
        { kind: 'inline', class: 'header' },
        { kind: 'url', class: 'body', origin: server.url },
        { kind: 'inline', class: 'body', bytes: 28 },
      ],
    });
    expect(JSON.stringify(explanation)).not.toContain('secret');
    expect(formatExplanation(explanation)).toMatch(
      /\n2 {2}url +body +http.*\n(.*\n)*blocks: 3, inline: [\d,]+ bytes\n$/,
    );
  });

  test('sends regions, a format and the header class', async () => {
    const several = await explainUrl(`${server.url}/variants/variants`, {
      ...WHOLE,
      format: 'VCFTEXT',
      regions: ['chr2:5-900', 'chr1:7'],
    });
    expect(several).toMatchObject({
      format: 'VCFTEXT',
      regions: [{ referenceName: 'chr2' }, { referenceName: 'chr1' }],
    });
    const header = await explainUrl(`${server.url}/reads/reads`, { regions: ['a', 'b'], isHeaderOnly: true });
    expect(header.blocks.map(({ kind }) => kind)).toEqual(['inline', 'inline']);
    expect(header).toMatchObject({
      answerBytes: header.inlineBytes,
      md5: expect.stringMatching(/^[\da-f]{32}$/) as string,
    });
  });

  test('reports the error of the service', async () => {
    await expect(explainUrl(`${server.url}/reads/nothing`, WHOLE)).rejects.toThrow(/404, NotFound: /);
  });
});

describe('tickets of others', () => {
  let other: Server | undefined;
  afterEach(() => other?.close());

  async function answer(body: string): Promise<string> {
    const listener = (_request: IncomingMessage, response: ServerResponse): void => void response.end(body);
    other = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => other?.once('listening', resolve));
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}/ticket`;
  }

  test('reads ranges from headers', async () => {
    const urls = [
      { url: 'data:application/octet-stream;base64,AAEC' },
      { url: 'https://store.example/file?key=secret', headers: { range: 'bytes=100-199', Authorization: 'secret' } },
    ];
    const url = await answer(JSON.stringify({ htsget: { format: 'BAM', urls } }));
    expect(await explainUrl(url, WHOLE)).toEqual({
      source: url,
      format: 'BAM',
      blocks: [
        { kind: 'inline', bytes: 3 },
        { kind: 'url', origin: 'https://store.example', byteStart: 100, byteEnd: 200, bytes: 100 },
      ],
      inlineBytes: 3,
      answerBytes: 103,
    });
  });

  test('says what the service restricted the answer to', async () => {
    const restricted = { samples: ['NA12878'] };
    const url = await answer(JSON.stringify({ htsget: { format: 'BAM', urls: [], restricted } }));
    const explanation = await explainUrl(url, WHOLE);
    expect(explanation.restricted).toEqual(restricted);
    expect(formatExplanation(explanation)).toMatch(/\nrestricted to the samples NA12878\n$/);
  });

  test('replaces the region of the URL and keeps the rest of its query', async () => {
    const asked: string[] = [];
    other = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.setEncoding('utf8').on('data', (text: string) => asked.push(text));
      request.on('end', () => response.end('{"htsget":{"format":"BAM","urls":[]}}'));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other?.once('listening', resolve));
    const query = 'referenceName=chr9&start=1&end=2&format=BAM&fields=QNAME,FLAG&tags=&key=k';
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/ticket?${query}`;
    await explainUrl(url, { ...WHOLE, regions: ['chr1'] });
    await explainUrl(url, { regions: [], isHeaderOnly: true });
    await explainUrl(url, { ...WHOLE, regions: ['chr1', 'chr2:5-9'] });
    expect(asked.slice(0, 3)).toEqual([
      'GET /ticket?key=k&format=BAM&referenceName=chr1&fields=QNAME%2CFLAG&tags=',
      'GET /ticket?key=k&format=BAM&class=header&fields=QNAME%2CFLAG&tags=',
      'POST /ticket?key=k',
    ]);
    expect(JSON.parse(asked[3] ?? '')).toEqual({
      format: 'BAM',
      fields: ['QNAME', 'FLAG'],
      tags: [],
      regions: [{ referenceName: 'chr1' }, { referenceName: 'chr2', start: 4, end: 9 }],
    });
  });

  test.each([
    ['{"url":"http://a","headers":{"Range":"bytes=9-3"}}', 'the range 9-3 ends before it begins'],
    ['{"url":"data:;base64"}', 'a data URI has no comma'],
    ['{"url":"data:;base64,%"}', 'a data URI is not valid base64'],
  ])('reports an invalid ticket for the block %s', async (block, message) => {
    await expect(explainUrl(await answer(`{"htsget":{"format":"BAM","urls":[${block}]}}`), WHOLE)).rejects.toThrow(
      message,
    );
  });

  test('accepts any bytes in a data URI without base64', async () => {
    const url = await answer('{"htsget":{"format":"BAM","urls":[{"url":"data:,a%FF%00"}]}}');
    expect((await explainUrl(url, WHOLE)).inlineBytes).toBe(3);
  });

  test('sends the credentials of the URL without showing them', async () => {
    let authorization: string | undefined;
    other = createServer((request, response) => {
      authorization = request.headers.authorization;
      response.end('{"htsget":{"format":"BAM","urls":[]}}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => other?.once('listening', resolve));
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const explanation = await explainUrl(`http://me:p%40ss%zz@${host}/ticket`, WHOLE);
    expect(explanation.source).toBe(`http://${host}/ticket`);
    expect(authorization).toBe(`Basic ${Buffer.from('me:p@ss%zz').toString('base64')}`);
  });

  test('sends headers and a token to the service but not to a redirect', async () => {
    const asked: unknown[] = [];
    other = createServer(({ url, headers, socket }, response) => {
      asked.push([url, headers.authorization, headers['x-project']]);
      const { port } = socket.address() as AddressInfo;
      if (url !== '/ticket') response.end('{"htsget":{"format":"BAM","urls":[]}}');
      else response.writeHead(302, { location: `http://localhost:${port}/b` }).end();
    }).listen(0);
    await new Promise((resolve) => other?.once('listening', resolve));
    const access = { headerLines: ['X-Project: p'], environment: { HTSKIT_TOKEN: 's3cret' } };
    await explainUrl(`http://127.0.0.1:${(other.address() as AddressInfo).port}/ticket`, { ...WHOLE, ...access });
    expect(asked).toEqual([
      ['/ticket', 'Bearer s3cret', 'p'],
      ['/b', undefined, undefined],
    ]);
  });

  test.each([
    'not JSON',
    'null',
    '{}',
    '{"htsget":{}}',
    '{"htsget":{"urls":[{}]}}',
    '{"htsget":{"urls":[{"url":"no"}]}}',
    '{"htsget":{"urls":[{"url":"http://a","headers":1}]}}',
    '{"htsget":{"urls":[{"url":"http://a","class":1}]}}',
    '{"htsget":{"format":"FASTA","urls":[]}}',
    '{"htsget":{"urls":[],"format":1}}',
    '{"htsget":{"urls":[],"format":"BAM\u001b[2J"}}',
  ])('rejects %s as a ticket', async (body) => {
    const error = { code: 'INVALID_TICKET', message: expect.not.stringContaining('\u001b') as string };
    await expect(explainUrl(await answer(body), WHOLE)).rejects.toMatchObject(error);
  });
});
