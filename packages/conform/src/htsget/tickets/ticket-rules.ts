import { createMd5 } from '@htskit/digest';
import { toHex } from '@htskit/io';
import { FORMATS } from '@htskit/protocol';
import { type Answer, excerpt, isJsonObject } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { fetchFile, isDataUri, readTicket, type WrittenTicket } from '../file/ticket.js';
import { askTicket, type HtsgetSubject, ticketRequest } from '../htsget-subject.js';

const TICKET = 'Ticket';
const BLOCK = 'Data block';

/** The expectation of a check of a ticket, and what it found instead; undefined if the ticket is right. */
type Finding = { readonly expected: string; readonly found: unknown } | undefined;

/** Creates a rule about the ticket of the whole file. */
function ticketRule(
  rule: Omit<Rule<HtsgetSubject>, 'id' | 'scope' | 'run'> & { readonly name: string },
  check: (ticket: WrittenTicket, subject: HtsgetSubject, answer: Answer) => Finding,
): Rule<HtsgetSubject> {
  const { name, ...stated } = rule;
  const run = async (subject: HtsgetSubject): Promise<Verdict> => {
    const answer = await askTicket(subject);
    const finding = check(readTicket(answer), subject, answer);
    if (finding === undefined) return KEPT;
    const found = typeof finding.found === 'string' ? finding.found : JSON.stringify(finding.found);
    return broken(answer, { expected: finding.expected, found: excerpt(found ?? 'nothing') });
  };
  return { ...stated, id: `htsget.tickets.${name}`, scope: 'format', run };
}

const DOCUMENT_RULES: readonly Rule<HtsgetSubject>[] = [
  ticketRule({ name: 'ticket', section: TICKET, level: 'MUST', title: 'answers 200 and a ticket' }, () => undefined),
  ticketRule(
    {
      name: 'only-htsget',
      section: 'What the service does 9',
      level: 'MUST',
      title: 'has htsget as the only member of a ticket',
    },
    (_, __, answer) => {
      const members = Object.keys(answer.object ?? {});
      return members.length === 1 ? undefined : { expected: 'only htsget', found: members };
    },
  ),
  ticketRule(
    { name: 'format', section: TICKET, level: 'MUST', title: 'names the requested format in the ticket' },
    ({ htsget }, { format }) =>
      htsget['format'] === format ? undefined : { expected: `htsget.format "${format}"`, found: htsget['format'] },
  ),
  ticketRule(
    {
      name: 'media-type',
      section: 'Content negotiation',
      level: 'SHOULD',
      title: 'sends tickets with the media type of htsget',
    },
    (_, __, { headers }) => {
      const found = headers.get('content-type') ?? 'no Content-Type';
      const isKept = /^application\/vnd\.ga4gh\.htsget\.v1\.\d+\.\d+\+json(?:\s*;|$)/i.test(found);
      return isKept ? undefined : { expected: 'application/vnd.ga4gh.htsget.v1.0.0+json; charset=utf-8', found };
    },
  ),
  ticketRule(
    {
      name: 'no-content-coding',
      section: 'What the service does 7',
      level: 'MUST',
      title: 'sends tickets without a content coding',
    },
    (_, __, { headers }) => {
      const found = headers.get('content-encoding');
      return found === null || found === 'identity' ? undefined : { expected: 'no Content-Encoding', found };
    },
  ),
];

const BLOCK_RULES: readonly Rule<HtsgetSubject>[] = [
  ticketRule(
    {
      name: 'absolute-urls',
      section: BLOCK,
      level: 'MUST',
      title: 'has absolute HTTP(S) URLs or data URIs as block URLs',
    },
    ({ blocks }) => {
      const wrong = blocks.find(({ url }) => !isDataUri(url) && !(/^https?:\/\//i.test(url) && URL.canParse(url)));
      return wrong && { expected: 'https://… or data:…', found: wrong.url };
    },
  ),
  ticketRule(
    { name: 'https', section: 'Result rules 5', level: 'SHOULD', title: 'has https URLs, except for testing' },
    ({ blocks }, { endpoint }) => {
      // A service without TLS is for testing or internal use: only its own scheme can be demanded.
      const wrong = endpoint.startsWith('https:') ? blocks.find(({ url }) => /^http:/i.test(url)) : undefined;
      return wrong && { expected: 'https://…', found: wrong.url };
    },
  ),
  ticketRule(
    {
      name: 'encoded-urls',
      section: 'Result rules 5',
      level: 'MUST',
      title: 'percent-encodes the path and query of block URLs',
    },
    ({ blocks }) => {
      // RFC 3986 §2: other characters cannot occur in a URI.
      const wrong = blocks.find(
        ({ url }) => !isDataUri(url) && !/^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(url),
      );
      return wrong && { expected: 'a URL of RFC 3986', found: wrong.url };
    },
  ),
  ticketRule(
    { name: 'headers', section: BLOCK, level: 'MUST', title: 'has texts as the headers of blocks' },
    ({ blocks }) => {
      const isRight = (headers: unknown): boolean =>
        headers === undefined ||
        (isJsonObject(headers) && Object.values(headers).every((value) => typeof value === 'string'));
      const wrong = blocks.find(({ headers }) => !isRight(headers));
      return wrong && { expected: 'an object of texts', found: wrong.headers };
    },
  ),
  ticketRule(
    {
      name: 'class-values',
      section: BLOCK,
      level: 'MUST',
      title: 'has the class header or body of each block that has one',
    },
    ({ blocks }) => {
      const wrong = blocks.find(({ class: name }) => name !== undefined && name !== 'header' && name !== 'body');
      return wrong && { expected: '"header" or "body"', found: wrong.class };
    },
  ),
  ticketRule(
    { name: 'class-all-or-none', section: BLOCK, level: 'MUST', title: 'has a class for all blocks or for none' },
    ({ blocks }) => {
      const count = blocks.filter(({ class: name }) => name !== undefined).length;
      const expected = `0 or ${blocks.length} blocks with a class`;
      return count === 0 || count === blocks.length ? undefined : { expected, found: `${count}` };
    },
  ),
  ticketRule(
    {
      name: 'data-uris',
      section: 'Result rules 6',
      level: 'MUST',
      title: 'writes data URIs in Base64, not percent-encoded',
    },
    ({ blocks }) => {
      const isRight = (url: string): boolean =>
        /^data:[^,]*;base64,[\w+/]*={0,2}$/i.test(url) && (url.length - url.indexOf(',') - 1) % 4 === 0;
      const wrong = blocks.find(({ url }) => isDataUri(url) && !isRight(url));
      return wrong && { expected: 'data:…;base64,…', found: `${wrong.url.slice(0, 60)}…` };
    },
  ),
  ticketRule(
    {
      name: 'short-data-uris',
      section: 'Limits 2',
      level: 'SHOULD',
      title: 'has data URIs of a few megabytes at most',
    },
    ({ blocks }) => {
      const longest = Math.max(0, ...blocks.filter(({ url }) => isDataUri(url)).map(({ url }) => url.length));
      return longest <= MAX_DATA_URI
        ? undefined
        : { expected: `at most ${MAX_DATA_URI} characters`, found: `${longest}` };
    },
  ),
];

/** "A few megabytes". */
const MAX_DATA_URI = 5_000_000;

const MD5_RULE: Rule<HtsgetSubject> = {
  id: 'htsget.tickets.md5',
  section: TICKET,
  level: 'MUST',
  scope: 'format',
  title: 'has the MD5 of the blocks, if it has one',
  async run(subject) {
    const ticket = await askTicket(subject);
    const { md5 } = readTicket(ticket).htsget;
    if (md5 === undefined) return inapplicable('the ticket has no md5');
    const { bytes } = await fetchFile(subject, ticket);
    const expected = md5Of(bytes);
    if (typeof md5 === 'string' && md5.toLowerCase() === expected) return KEPT;
    return broken(ticket, { expected: `the MD5 of the blocks, ${expected}`, found: JSON.stringify(md5) });
  },
};

function md5Of(bytes: Uint8Array): string {
  const hasher = createMd5();
  hasher.update(bytes);
  return toHex(hasher.digest());
}

const DEFAULT_RULE: Rule<HtsgetSubject> = {
  id: 'htsget.tickets.default-format',
  section: 'GET query parameters, format',
  level: 'MUST',
  scope: 'object',
  title: 'answers BAM or VCF to a request without format',
  async run(subject) {
    const [format] = FORMATS[subject.datatype];
    if (!subject.formats.includes(format)) return inapplicable(`the object is not answered as ${format}`);
    const answer = await subject.probe.ask(ticketRequest(subject, { class: 'header' }));
    const found = readTicket(answer).htsget['format'];
    return found === format
      ? KEPT
      : broken(answer, { expected: `htsget.format "${format}"`, found: JSON.stringify(found) ?? 'nothing' });
  },
};

/** Rules about requests that accept tickets in some media type. */
const ACCEPT_RULES: readonly Rule<HtsgetSubject>[] = ['application/vnd.ga4gh.htsget.v1.0.0+json', '*/*'].map(
  (accept) => ({
    id: accept === '*/*' ? 'htsget.tickets.accept-any' : 'htsget.tickets.accept',
    section: 'Content negotiation',
    level: 'MUST',
    scope: 'object',
    title: `answers requests with Accept: ${accept}`,
    async run(subject) {
      readTicket(await askTicket(subject, { class: 'header' }, { accept }));
      return KEPT;
    },
  }),
);

export const TICKET_RULES: readonly Rule<HtsgetSubject>[] = [
  ...DOCUMENT_RULES,
  ...BLOCK_RULES,
  MD5_RULE,
  DEFAULT_RULE,
  ...ACCEPT_RULES,
];
