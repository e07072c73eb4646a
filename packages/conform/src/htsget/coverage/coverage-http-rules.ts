import type { Answer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, RuleEnd, type Verdict } from '../../engine/rule.js';
import { expectHeader, expectStatus } from '../../refget/expect-answer.js';
import { type ErrorName, expectError } from '../errors/expect-error.js';
import type { HtsgetSubject, TicketParameters } from '../htsget-subject.js';
import { UNKNOWN_ID, UNKNOWN_REFERENCE } from '../references.js';
import { askBigWig, askCoverage, type CoverageRequest } from './ask-coverage.js';
import { type BinnedRegion, binParameters, smallBinnedRegions } from './coverage-bins.js';

const RULE = { section: 'coverage', level: 'SHOULD', scope: 'object' } as const;

type Ask = (subject: HtsgetSubject, request?: Pick<CoverageRequest, 'headers' | 'method'>) => Promise<Answer>;

async function askBins(subject: HtsgetSubject, request: Pick<CoverageRequest, 'headers' | 'method'> = {}) {
  const [region] = await smallBinnedRegions(subject);
  return askCoverage(subject, { ...request, parameters: binParameters(region) });
}

/** Checks that the answer to HEAD has the headers of that to GET. */
function expectHead(head: Answer, { status, headers }: Answer): Verdict {
  if (head.status !== status) return expectStatus(head, status);
  for (const name of ['Content-Type', 'Content-Length', 'ETag']) {
    const expected = headers.get(name);
    const isExpected = (value: string | undefined): boolean => value === expected?.toLowerCase();
    const verdict = expectHeader(head, name, { expected: expected ?? 'no such header', isExpected });
    if (verdict.kind !== 'kept') return verdict;
  }
  return KEPT;
}

/** Returns the entity tag of an answer. Ends the rule if it has none. */
function tagOf({ headers }: Answer): string {
  const tag = headers.get('etag');
  if (tag === null) throw new RuleEnd(inapplicable('the service sends no ETag'));
  return tag;
}

/** Creates the rules about HEAD and entity tags, of bins or of bigWig files. */
function cachingRules(prefix: string, what: string, ask: Ask): readonly Rule<HtsgetSubject>[] {
  return [
    {
      ...RULE,
      id: `${prefix}head`,
      title: `answers HEAD for ${what} with the headers of GET`,
      run: async (subject) => expectHead(await ask(subject, { method: 'HEAD' }), await ask(subject)),
    },
    {
      ...RULE,
      id: `${prefix}etag`,
      title: `sends an entity tag with ${what}`,
      run: async (subject) =>
        expectHeader(await ask(subject), 'ETag', {
          expected: 'an entity tag',
          isExpected: (value) => /^(?:w\/)?"[^"]*"$/.test(value ?? ''),
        }),
    },
    {
      ...RULE,
      id: `${prefix}not-modified`,
      title: `answers 304 if If-None-Match has the entity tag of ${what}`,
      run: async (subject) =>
        expectStatus(await ask(subject, { headers: { 'if-none-match': tagOf(await ask(subject)) } }), 304),
    },
  ];
}

/** The little-endian magic number of bigWig. */
const MAGIC = 0x888ffc26;

function isBigWig({ status, body }: Answer): boolean {
  return status === 200 && body.length > 64 && new DataView(body.buffer, body.byteOffset).getUint32(0, true) === MAGIC;
}

/** Asks for the whole bigWig. Ends the rule if the answer is another file, which is a fault of its own. */
async function readBigWig(subject: HtsgetSubject): Promise<Answer> {
  const whole = await askBigWig(subject);
  if (!isBigWig(whole)) throw new RuleEnd(inapplicable('the service does not send a bigWig'));
  return whole;
}

const BIG_WIG_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    ...RULE,
    id: 'htsget.coverage.big-wig.file',
    title: 'sends the depth of the whole file as bigWig',
    run: async (subject) => {
      const answer = await askBigWig(subject);
      if (isBigWig(answer)) return KEPT;
      return broken(answer, { expected: 'status 200 and a bigWig file', found: `status ${answer.status}` });
    },
  },
  {
    ...RULE,
    id: 'htsget.coverage.big-wig.range',
    title: 'answers a Range of the bigWig with 206 and its bytes',
    run: async (subject) => {
      const { body } = await readBigWig(subject);
      const answer = await askBigWig(subject, { headers: { range: 'bytes=8-39' } });
      if (answer.status !== 206) return expectStatus(answer, 206);
      const expected = `bytes 8-39/${body.length}`;
      const header = expectHeader(answer, 'Content-Range', { expected, isExpected: (value) => value === expected });
      if (header.kind !== 'kept') return header;
      if (answer.body.join() === body.slice(8, 40).join()) return KEPT;
      return broken(answer, { expected: 'bytes 8-39 of the file', found: `${answer.body.length} other bytes` });
    },
  },
  {
    ...RULE,
    id: 'htsget.coverage.big-wig.range-error',
    title: 'answers 416 for a Range after the end of the bigWig',
    run: async (subject) => {
      const { length } = (await readBigWig(subject)).body;
      return expectStatus(await askBigWig(subject, { headers: { range: `bytes=${length}-` } }), 416);
    },
  },
  ...cachingRules('htsget.coverage.big-wig.', 'the bigWig', askBigWig),
];

/** A request for bins that a service refuses. */
interface RefusedRequest {
  readonly name: string;
  readonly what: string;
  readonly error: ErrorName;
  readonly change: (region: BinnedRegion) => { readonly id?: string; readonly parameters?: TicketParameters };
}

/** Makes the change of a refused request to its parameters alone. */
function withParameters(parameters: TicketParameters): RefusedRequest['change'] {
  return () => ({ parameters });
}

const REFUSED: readonly RefusedRequest[] = [
  { name: 'unknown-id', what: 'an unknown id', error: 'NotFound', change: () => ({ id: UNKNOWN_ID }) },
  {
    name: 'unknown-reference',
    what: 'an unknown reference',
    error: 'NotFound',
    change: withParameters({ referenceName: UNKNOWN_REFERENCE }),
  },
  {
    name: 'no-reference',
    what: 'a request without a reference',
    error: 'InvalidInput',
    change: withParameters({ referenceName: undefined, start: undefined, end: undefined }),
  },
  {
    name: 'start-after-end',
    what: 'a start after the end',
    error: 'InvalidRange',
    change: ({ start, end }) => ({ parameters: { start: String(end), end: String(start) } }),
  },
  { name: 'no-bins', what: 'no bins', error: 'InvalidInput', change: withParameters({ bins: '0' }) },
  {
    name: 'datatype',
    what: 'an unknown datatype',
    error: 'InvalidInput',
    change: withParameters({ datatype: 'genes' }),
  },
];

const REFUSED_RULES = REFUSED.map(
  ({ name, what, error, change }): Rule<HtsgetSubject> => ({
    ...RULE,
    id: `htsget.coverage.errors.${name}`,
    title: `refuses ${what} with ${error}`,
    run: async (subject) => {
      const [region] = await smallBinnedRegions(subject);
      const { id = subject.id, parameters } = change(region);
      const request = { id, parameters: { ...binParameters(region), ...parameters } };
      return expectError(await askCoverage(subject, request), error);
    },
  }),
);

/** Rules about errors, HEAD, entity tags, and bigWig files of coverage, which run only if the service announces it. */
export const COVERAGE_HTTP_RULES: readonly Rule<HtsgetSubject>[] = [
  ...REFUSED_RULES,
  ...cachingRules('htsget.coverage.bins-', 'the bins', askBins),
  ...BIG_WIG_RULES,
];
