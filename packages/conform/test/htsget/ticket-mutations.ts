import { createFaithfulService, type Fault } from '../service/faithful-service.js';
import {
  changeBytes,
  changeHeaders,
  changeText,
  onRequests,
  type RequestFilter,
  withStatus,
} from '../service/faults.js';
import { GUARDED } from '../service/guarded-service.js';
import { type KeptService, type Mutation, once } from '../service/mutation-table.js';
import { changeTicket, isTicketPath, setEach, type TicketDocument } from '../service/ticket-faults.js';

const always = (): boolean => true;
const isBlock: RequestFilter = ({ pathname }) => pathname.startsWith('/blocks/');

/** Changes the ticket of each request: the name of the rule, what the broken service does, and the change. */
const TICKET_FAULTS: readonly (readonly [rule: string, fault: string, change: (htsget: TicketDocument) => void])[] = [
  ['ticket', 'has no array of URLs', (htsget) => Object.assign(htsget, { urls: {} })],
  [
    'format',
    'names the format in lower case',
    (htsget) => Object.assign(htsget, { format: String(htsget.format).toLowerCase() }),
  ],
  ['default-format', 'does not name the format', (htsget) => delete htsget.format],
  [
    'absolute-urls',
    'has relative URLs',
    ({ urls }) => changeUrls(urls, (url) => url.replace('http://service.test', '')),
  ],
  ['encoded-urls', 'has spaces in URLs', ({ urls }) => changeUrls(urls, (url) => url.replace(/^http.*/, '$& '))],
  ['headers', 'has numbers as headers', (htsget) => setEach(htsget, { headers: { Range: 0 } })],
  ['class-values', 'has the class footer', ({ urls }) => Object.assign(urls.at(-1) ?? {}, { class: 'footer' })],
  ['class-all-or-none', 'has a class for some blocks', ({ urls }) => delete urls.at(-1)?.class],
  [
    'data-uris',
    'percent-encodes Base64',
    ({ urls }) => changeUrls(urls, (url) => (url.startsWith('data:') ? url.replaceAll('=', '%3D') : url)),
  ],
  [
    'short-data-uris',
    'has data URIs of six megabytes',
    ({ urls }) => urls.push({ url: `data:;base64,${'A'.repeat(6_000_000)}` }),
  ],
];

function changeUrls(urls: TicketDocument['urls'], change: (url: string) => string): void {
  for (const block of urls) block.url = change(block.url);
}

/** Refuses requests with an Accept header. */
function refuseAccept(accept: string): Fault {
  return onRequests(
    (_, { headers }) => headers.get('accept') === accept,
    async () => new Response('', { status: 406 }),
  );
}

const SECURE_URL = 'https://service.test';
const SECURE: KeptService = {
  name: 'a service with TLS',
  url: SECURE_URL,
  create: once(() => createFaithfulService({ publicUrl: SECURE_URL })),
};

const TICKETS: readonly Mutation[] = [
  ...TICKET_FAULTS.map(([name, fault, change]) => ({
    rule: `htsget.tickets.${name}`,
    fault,
    break: changeTicket(always, change),
  })),
  {
    rule: 'htsget.tickets.ticket',
    fault: 'answers 202',
    break: withStatus(202, (url) => isTicketPath(url) && url.search.endsWith('BAM')),
  },
  {
    rule: 'htsget.tickets.only-htsget',
    fault: 'has a second member in tickets',
    break: changeText(isTicketPath, (text) => text.replace(/^\{/, '{"version":1,')),
  },
  {
    rule: 'htsget.tickets.https',
    fault: 'has http URLs in tickets that came by https',
    service: SECURE,
    break: changeTicket(always, ({ urls }) => changeUrls(urls, (url) => url.replace(/^https:/, 'http:'))),
  },
  {
    rule: 'htsget.tickets.media-type',
    fault: 'sends tickets as application/json',
    break: changeHeaders(isTicketPath, (headers) => headers.set('content-type', 'application/json')),
  },
  {
    rule: 'htsget.tickets.no-content-coding',
    fault: 'compresses tickets',
    break: changeHeaders(isTicketPath, (headers) => headers.set('content-encoding', 'gzip')),
  },
  {
    rule: 'htsget.tickets.md5',
    fault: 'has the MD5 of something else',
    service: GUARDED,
    break: changeTicket(always, (htsget) => Object.assign(htsget, { md5: 'd41d8cd98f00b204e9800998ecf8427e' })),
  },
  {
    rule: 'htsget.tickets.accept',
    fault: 'does not know its own media type',
    break: refuseAccept('application/vnd.ga4gh.htsget.v1.0.0+json'),
  },
  { rule: 'htsget.tickets.accept-any', fault: 'refuses Accept: */*', break: refuseAccept('*/*') },
];

/** Answers the second request for a block with other bytes. */
function changeSecond(): Fault {
  const seen = new Set<string>();
  return async (request, serve) => {
    const isAgain = isBlock(new URL(request.url), request, '') && seen.has(request.url);
    seen.add(request.url);
    return isAgain ? new Response('gone', { status: 410 }) : serve(request);
  };
}

const isPart: RequestFilter = (url, request, body) =>
  isBlock(url, request, body) && /^bytes=[1-9]/.test(request.headers.get('range') ?? '');

const BLOCKS: readonly Mutation[] = [
  { rule: 'htsget.blocks.get', fault: 'answers 206 without a Range', break: withBlockStatus(206) },
  {
    rule: 'htsget.blocks.length',
    fault: 'sends blocks of unknown length',
    break: changeHeaders(isBlock, (headers) => {
      headers.delete('content-length');
      headers.delete('transfer-encoding');
    }),
  },
  {
    rule: 'htsget.blocks.no-content-coding',
    fault: 'compresses blocks',
    break: changeHeaders(isBlock, (headers) => headers.set('content-encoding', 'gzip')),
  },
  { rule: 'htsget.blocks.again', fault: 'sends each block once', break: changeSecond() },
  {
    rule: 'htsget.blocks.cors',
    fault: 'hides blocks from other origins',
    break: changeHeaders(isBlock, (headers) => headers.delete('access-control-allow-origin')),
  },
  {
    rule: 'htsget.blocks.split-range',
    fault: 'answers a part with other bytes',
    service: GUARDED,
    break: changeBytes(isPart, (bytes) => bytes.toReversed()),
  },
  {
    rule: 'htsget.blocks.range',
    fault: 'ignores Range',
    break: (request, serve) => {
      const headers = new Headers(request.headers);
      headers.delete('range');
      return serve(new Request(request, { headers }));
    },
  },
  {
    rule: 'htsget.blocks.head',
    fault: 'refuses HEAD',
    break: onRequests(
      (_, { method }) => method === 'HEAD',
      async () => new Response(null, { status: 405 }),
    ),
  },
];

function withBlockStatus(status: number): Fault {
  return async (request, serve) => {
    const answer = await serve(request);
    if (!isBlock(new URL(request.url), request, '')) return answer;
    return new Response(answer.body, { status, headers: answer.headers });
  };
}

export const TICKET_MUTATIONS: readonly Mutation[] = [...TICKETS, ...BLOCKS];
