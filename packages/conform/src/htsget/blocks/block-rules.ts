import { type Answer, describeAnswer } from '../../engine/answer.js';
import type { ProbeRequest } from '../../engine/probe-request.js';
import { broken, inapplicable, KEPT, type Level, type Rule, type Verdict } from '../../engine/rule.js';
import { blockRequest, isDataUri, readTicket } from '../file/ticket.js';
import { isTooLong } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { regionsOf } from '../regions/compared-answer.js';
import { toParameters } from '../regions/region.js';
import { expectOrigin, ORIGIN } from '../service/cors-rules.js';

const SECTION = 'Result rules 5';

/** Bytes of a block that the rules about ranges ask for. */
const PART = { start: 3, end: 23 } as const;

/** The longest block that has a URL, of the ticket of the whole file or, if that is too long, of a region. */
interface ServedBlock {
  readonly request: ProbeRequest;
  readonly answer: Answer;
  /** Whether the ticket itself asks for a part of the resource. */
  readonly isRanged: boolean;
}

async function findBlock(subject: HtsgetSubject): Promise<ServedBlock | undefined> {
  try {
    return await findLongest(subject, await askTicket(subject));
  } catch (error) {
    if (!isTooLong(error)) throw error;
    const [region] = (await regionsOf(subject)).small;
    return region && findLongest(subject, await askTicket(subject, toParameters(region)));
  }
}

async function findLongest({ probe }: HtsgetSubject, ticket: Answer): Promise<ServedBlock | undefined> {
  const { blocks } = readTicket(ticket);
  const requests = blocks.filter(({ url }) => !isDataUri(url)).map(blockRequest);
  let longest: ServedBlock | undefined;
  for (const request of requests.slice(0, MAX_BLOCKS)) {
    const answer = await probe.ask({ ...request, maxBytes: probe.fileBytes });
    const isRanged = rangeOf(request) !== undefined;
    if (longest === undefined || answer.body.length > longest.answer.body.length)
      longest = { request, answer, isRanged };
  }
  return longest;
}

/** Blocks of a ticket that are looked at. */
const MAX_BLOCKS = 4;

function rangeOf({ headers = {} }: ProbeRequest): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'range')?.[1];
}

function blockRule(
  {
    name,
    title,
    level = 'MUST',
    section = SECTION,
  }: { readonly name: string; readonly title: string; readonly level?: Level; readonly section?: string },
  check: (block: ServedBlock, subject: HtsgetSubject) => Verdict | Promise<Verdict>,
): Rule<HtsgetSubject> {
  return {
    id: `htsget.blocks.${name}`,
    section,
    level,
    scope: 'format',
    title,
    async run(subject) {
      const block = await findBlock(subject);
      return block === undefined ? inapplicable('all blocks of the ticket are data URIs') : check(block, subject);
    },
  };
}

/** Asks for a part of a block: of the part that the ticket asks for, if there is one. */
function partRequest({ request }: ServedBlock): ProbeRequest {
  const first = Number(/^bytes=(\d+)-/.exec(rangeOf(request) ?? '')?.[1] ?? 0);
  const others = Object.entries(request.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'range');
  const range = `bytes=${first + PART.start}-${first + PART.end - 1}`;
  return { ...request, headers: { ...Object.fromEntries(others), range } };
}

/** Checks that a part is that of the whole block. */
function expectPart(part: Answer, { answer }: ServedBlock): Verdict {
  if (part.status !== 206) return broken(part, { expected: 'status 206', found: describeStatus(part) });
  const expected = answer.body.subarray(PART.start, PART.end);
  if (equals(part.body, expected)) return KEPT;
  return broken(part, {
    expected: 'the bytes that the whole block has there',
    found: `${part.body.length} other bytes`,
  });
}

export const BLOCK_RULES: readonly Rule<HtsgetSubject>[] = [
  blockRule(
    { name: 'get', title: 'answers GET for a block with the headers of the ticket alone' },
    ({ answer, isRanged }) => {
      // A server that sends the requested part may call it a whole: clients get the same bytes.
      if (answer.status === 200 || (isRanged && answer.status === 206)) return KEPT;
      return broken(answer, { expected: 'status 200, or 206 for a Range', found: describeAnswer(answer) });
    },
  ),
  blockRule({ name: 'length', title: 'sends blocks with Content-Length or chunked' }, ({ answer }) => {
    const { headers } = answer;
    if (headers.has('content-length') || /chunked/i.test(headers.get('transfer-encoding') ?? '')) return KEPT;
    return broken(answer, { expected: 'Content-Length or Transfer-Encoding: chunked', found: 'neither' });
  }),
  blockRule({ name: 'no-content-coding', title: 'sends blocks without a content coding' }, ({ answer }) => {
    const found = answer.headers.get('content-encoding');
    return found === null || found === 'identity' ? KEPT : broken(answer, { expected: 'no Content-Encoding', found });
  }),
  blockRule(
    { name: 'again', level: 'SHOULD', title: 'sends the same block again' },
    async ({ request, answer }, { probe }) => {
      const again = await probe.askAgain(request);
      if (again.status === answer.status && equals(again.body, answer.body)) return KEPT;
      return broken(again, {
        expected: `${answer.status} and the same ${answer.body.length} bytes`,
        found: describeStatus(again),
      });
    },
  ),
  blockRule(
    { name: 'cors', level: 'SHOULD', title: 'lets pages of other origins read blocks' },
    async ({ request }, { probe }) => {
      const answer = await probe.ask({ ...request, headers: { ...request.headers, origin: ORIGIN } });
      return answer.headers.get('access-control-allow-origin') === '*' ? KEPT : expectOrigin(answer);
    },
  ),
  blockRule(
    { name: 'split-range', title: 'answers a part of the Range that a ticket has' },
    async (block, { probe }) => {
      if (!block.isRanged) return inapplicable('the ticket has no Range');
      if (block.answer.body.length < PART.end) return inapplicable('all blocks are short');
      return expectPart(await probe.ask(partRequest(block)), block);
    },
  ),
  blockRule(
    { name: 'range', level: 'MAY', title: 'resumes a block, by answering a Range' },
    async (block, { probe }) => {
      if (block.isRanged) return inapplicable('the ticket has a Range of its own');
      if (block.answer.body.length < PART.end) return inapplicable('all blocks are short');
      return expectPart(await probe.ask(partRequest(block)), block);
    },
  ),
  blockRule(
    { name: 'head', level: 'MAY', title: 'answers HEAD for a block with the length of GET' },
    async ({ request, answer }, { probe }) => {
      const head = await probe.ask({ ...request, method: 'HEAD' });
      const length = head.headers.get('content-length');
      const isRight = head.status === answer.status && (length === null || Number(length) === answer.body.length);
      const expected = `status ${answer.status}, and ${answer.body.length} as the Content-Length`;
      return isRight ? KEPT : broken(head, { expected, found: `status ${head.status}, and ${length}` });
    },
  ),
];

function describeStatus({ status, body }: Answer): string {
  return `status ${status} and ${body.length} bytes`;
}

function equals(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
