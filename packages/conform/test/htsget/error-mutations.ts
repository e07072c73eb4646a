import type { Fault } from '../service/faithful-service.js';
import { changeHeaders, changeText, onRequests, type RequestFilter, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

function hasParameter(name: string, value?: string): RequestFilter {
  return ({ searchParams }) => (value === undefined ? searchParams.has(name) : searchParams.get(name) === value);
}

function isUnplacedStart({ searchParams }: URL): boolean {
  return searchParams.get('referenceName') === '*' && searchParams.has('start');
}

/** The condition of each error by GET, and whether its rules include a MUST. */
const GET_ERRORS: readonly (readonly [name: string, isMust: boolean, matches: RequestFilter])[] = [
  ['unknown-id', true, ({ pathname }) => pathname.includes('no-such-object')],
  ['unknown-format', true, hasParameter('format', 'FASTQ')],
  [
    'other-format',
    true,
    ({ pathname, searchParams }) => pathname.startsWith('/reads/') && searchParams.get('format') === 'VCF',
  ],
  ['class', true, hasParameter('class', 'body')],
  ['class-with-others', false, ({ searchParams }) => searchParams.has('class') && searchParams.has('start')],
  ['unknown-reference', false, hasParameter('referenceName', 'htskit-conform-no-such-reference')],
  [
    'start-without-reference',
    false,
    ({ searchParams }) => searchParams.has('start') && !searchParams.has('referenceName'),
  ],
  ['end-without-reference', false, ({ searchParams }) => searchParams.has('end') && !searchParams.has('referenceName')],
  ['start-of-unplaced', false, isUnplacedStart],
  ['start-after-end', false, hasParameter('start', '20')],
  ['negative-start', true, hasParameter('start', '-1')],
  ['text-start', true, hasParameter('start', 'one')],
  ['fractional-end', true, hasParameter('end', '9.5')],
  ['unknown-field', false, hasParameter('fields', 'QNAME,COLOUR')],
  ['tags-and-notags', false, hasParameter('notags', 'RG')],
];

/** The body of each request by POST that is refused, and whether its rules include a MUST. */
const POST_ERRORS: readonly (readonly [name: string, isMust: boolean, matches: (body: string, url: URL) => boolean])[] =
  [
    ['post-query', false, (_, { search }) => search !== ''],
    ['post-malformed', true, (body) => body === '{"format":'],
    ['post-no-regions', false, (body) => body.includes('"regions":[]')],
    ['post-no-reference', false, (body) => body.includes('[{"start":1')],
    ['post-unknown-reference', false, (body) => body.includes('no-such-reference')],
    ['post-empty-region', false, (body) => body.includes('"start":5,"end":5')],
    ['post-negative-start', true, (body) => body.includes('"start":-1')],
    ['post-class', true, (body) => body.includes('"class":"body"')],
  ];

const always = (): boolean => true;
const otherError = changeText(always, (text) => text.replace(/"error":"\w+"/, '"error":"Wrong"'));

function rows(name: string, isMust: boolean, scoped: (fault: Fault) => Fault): readonly Mutation[] {
  const body: readonly Mutation[] = [
    { rule: `htsget.errors.${name}-body`, fault: 'names another error', break: scoped(otherError) },
    { rule: `htsget.errors.${name}-body`, fault: 'answers another status', break: scoped(withStatus(418, always)) },
  ];
  if (!isMust) return body;
  return [{ rule: `htsget.errors.${name}`, fault: 'answers 200', break: scoped(withStatus(200, always)) }, ...body];
}

const isUnknown: RequestFilter = ({ pathname }) => pathname.includes('no-such-object');

export const ERROR_MUTATIONS: readonly Mutation[] = [
  ...GET_ERRORS.flatMap(([name, isMust, matches]) => rows(name, isMust, (fault) => onRequests(matches, fault))),
  ...POST_ERRORS.flatMap(([name, isMust, matches]) =>
    rows(name, isMust, (fault) =>
      onRequests((url, { method }, body) => method === 'POST' && matches(body, url), fault),
    ),
  ),
  {
    rule: 'htsget.errors.media-type',
    fault: 'sends errors as text',
    break: changeHeaders(isUnknown, (headers) => headers.set('content-type', 'text/plain')),
  },
  {
    rule: 'htsget.errors.message',
    fault: 'does not explain errors',
    break: changeText(isUnknown, () => '{"htsget":{"error":"NotFound"}}'),
  },
  {
    rule: 'htsget.errors.only-htsget',
    fault: 'has a second member in errors',
    break: changeText(isUnknown, (text) => text.replace(/^\{/, '{"status":404,')),
  },
];
