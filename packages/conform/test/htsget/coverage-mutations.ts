import type { HeadFilter } from '../refget/requests.js';
import { changeAnswer, changeBytes, changeHeaders, changeJson, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

const isBigWig: HeadFilter = ({ pathname }) => pathname.endsWith('.bw');
const isBins: HeadFilter = ({ pathname }) => pathname.startsWith('/coverage/') && !pathname.endsWith('.bw');
const isFloats: HeadFilter = (url, request) =>
  isBins(url, request) && request.headers.get('accept') === 'application/octet-stream';
const isJson: HeadFilter = (url, request) => isBins(url, request) && !isFloats(url, request) && isPlain(request);
const isRange: HeadFilter = (url, request) => isBigWig(url, request) && request.headers.has('range');

function isPlain({ method, headers }: Request): boolean {
  return method === 'GET' && !headers.has('if-none-match');
}

/** Requests for bins of more than a small region. */
const isLong: HeadFilter = (url, request) =>
  isJson(url, request) && Number(url.searchParams.get('end')) - Number(url.searchParams.get('start')) > 1000;

/** Changes the bins of the answers that match. */
function changeBins(
  matches: HeadFilter,
  member: 'mean' | 'counts' | 'max',
  change: (values: readonly number[]) => readonly number[],
): Mutation['break'] {
  return changeJson(matches, (document) => ({
    ...document,
    ...(document[member] !== undefined && { [member]: change(document[member] as readonly number[]) }),
  }));
}

const plusOne = (values: readonly number[]): readonly number[] => values.map((value) => value + 1);

/** Answers the requests that match with 200 and no bins. */
function accept(rule: string, fault: string, matches: HeadFilter): Mutation {
  return { rule: `htsget.coverage.errors.${rule}`, fault: `accepts ${fault}`, break: withStatus(200, matches) };
}

const isParameter =
  (name: string, value: string | null): HeadFilter =>
  (url, request) =>
    isBins(url, request) && url.searchParams.get(name) === value;

const BIN_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'htsget.coverage.document',
    fault: 'does not say whether bins are estimates',
    break: changeJson(isJson, (document) => ({ ...document, estimated: undefined })),
  },
  {
    rule: 'htsget.coverage.document',
    fault: 'leaves out a bin',
    break: changeBins(isJson, 'mean', (values) => values.slice(1)),
  },
  { rule: 'htsget.coverage.bins', fault: 'counts a read too many', break: changeBins(isJson, 'mean', plusOne) },
  { rule: 'htsget.coverage.bins', fault: 'counts a variant too many', break: changeBins(isJson, 'counts', plusOne) },
  {
    rule: 'htsget.coverage.bins',
    fault: 'shifts the bins',
    break: changeBins(isJson, 'mean', (values) => [...values.slice(1), ...values.slice(0, 1)]),
  },
  { rule: 'htsget.coverage.max', fault: 'has a greater depth', break: changeBins(isJson, 'max', plusOne) },
  {
    rule: 'htsget.coverage.max',
    fault: 'has no greatest depths of exact bins',
    break: changeJson(isJson, (document) => ({ ...document, max: undefined })),
  },
  {
    rule: 'htsget.coverage.estimated',
    fault: 'does not say that bins are estimates',
    break: changeBins(isLong, 'mean', (values) => values.map((value) => value * 1.1)),
  },
  {
    rule: 'htsget.coverage.estimated',
    fault: 'has the greatest depths of an estimate',
    break: changeJson(isLong, (document) => ({ ...document, estimated: true })),
  },
  {
    rule: 'htsget.coverage.floats',
    fault: 'sends big-endian numbers',
    break: changeBytes(isFloats, (bytes) => bytes.toReversed()),
  },
  {
    rule: 'htsget.coverage.floats',
    fault: 'says that exact numbers are estimates',
    break: changeHeaders(isFloats, (headers) =>
      headers.set('content-type', 'application/octet-stream; estimated=true'),
    ),
  },
];

const isHead = (matches: HeadFilter): HeadFilter => {
  return (url, request) => matches(url, request) && request.method === 'HEAD';
};

/** Returns the faults of HEAD and entity tags, of bins or of bigWig files. */
function cachingMutations(prefix: string, matches: HeadFilter): readonly Mutation[] {
  return [
    { rule: `${prefix}head`, fault: 'answers 405 for HEAD', break: withStatus(405, isHead(matches)) },
    {
      rule: `${prefix}head`,
      fault: 'has another length for HEAD',
      break: changeHeaders(isHead(matches), (headers) => headers.set('content-length', '1')),
    },
    {
      rule: `${prefix}etag`,
      fault: 'sends no entity tag',
      break: changeHeaders(matches, (headers) => headers.delete('etag')),
    },
    {
      rule: `${prefix}not-modified`,
      fault: 'ignores If-None-Match',
      break: changeAnswer(
        (url, request) => matches(url, request) && request.headers.has('if-none-match'),
        ({ headers }) => new Response('', { headers }),
      ),
    },
  ];
}

const BIG_WIG_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'htsget.coverage.big-wig.file',
    fault: 'sends another file',
    break: changeBytes(isBigWig, (bytes) => bytes.toReversed()),
  },
  {
    rule: 'htsget.coverage.big-wig.range',
    fault: 'ignores Range',
    break: changeAnswer(isRange, async (answer) => new Response(await answer.arrayBuffer())),
  },
  {
    rule: 'htsget.coverage.big-wig.range',
    fault: 'sends other bytes',
    break: changeBytes(isRange, (bytes) => bytes.toReversed()),
  },
  {
    rule: 'htsget.coverage.big-wig.range-error',
    fault: 'answers 200 for a Range after the end',
    break: changeAnswer(isRange, async (answer) => (answer.status === 416 ? new Response('') : answer)),
  },
];

/** The faults of coverage. */
export const COVERAGE_MUTATIONS: readonly Mutation[] = [
  ...BIN_MUTATIONS,
  accept('unknown-id', 'an unknown id', ({ pathname }) => pathname === '/coverage/htskit-conform-no-such-object'),
  accept('unknown-reference', 'an unknown reference', isParameter('referenceName', 'htskit-conform-no-such-reference')),
  accept('no-reference', 'a request without a reference', isParameter('referenceName', null)),
  accept('start-after-end', 'a start after the end', (url, request) => {
    return isBins(url, request) && Number(url.searchParams.get('start')) > Number(url.searchParams.get('end'));
  }),
  accept('no-bins', 'no bins', isParameter('bins', '0')),
  accept('datatype', 'an unknown datatype', isParameter('datatype', 'genes')),
  ...cachingMutations('htsget.coverage.bins-', isBins),
  ...cachingMutations('htsget.coverage.big-wig.', isBigWig),
  ...BIG_WIG_MUTATIONS,
];
