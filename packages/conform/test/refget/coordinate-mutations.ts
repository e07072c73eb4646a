import { changeHeaders, changeRequest, changeText, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';
import { hasQuery, isLength, isMiddle, isPart, isSequence, isWhole, numberOf } from './requests.js';

const WHOLE_MUTATIONS: readonly Mutation[] = [
  { rule: 'refget.sequence.status', fault: 'answers 206 for a whole sequence', break: withStatus(206, isWhole) },
  {
    rule: 'refget.sequence.letters',
    fault: 'ends a sequence with a line feed',
    break: changeText(isWhole, (text) => `${text}\n`),
  },
  ...(['md5', 'ga4gh', 'trunc512'] as const).map(
    (digest): Mutation => ({
      rule: `refget.sequence.${digest}`,
      fault: 'sends other bases than those of the digest',
      break: changeText(isWhole, (text) => `${text.slice(1)}A`),
    }),
  ),
  {
    rule: 'refget.sequence.content-type',
    fault: 'sends a sequence as HTML',
    break: changeHeaders(isWhole, (headers) => headers.set('content-type', 'text/html')),
  },
  {
    rule: 'refget.sequence.full-content-type',
    fault: 'sends a sequence as text/plain',
    break: changeHeaders(isWhole, (headers) => headers.set('content-type', 'text/plain')),
  },
  {
    rule: 'refget.sequence.charset',
    fault: 'sends a sequence in another charset',
    break: changeHeaders(isWhole, (headers) => headers.set('content-type', 'text/plain; charset=iso-8859-1')),
  },
  {
    rule: 'refget.sequence.content-coding',
    fault: 'compresses a sequence by a content coding',
    break: changeHeaders(isMiddle, (headers) => headers.set('content-encoding', 'gzip')),
  },
  {
    rule: 'refget.sequence.content-length',
    fault: 'does not send the length of a sequence',
    break: changeHeaders(isWhole, (headers) => headers.delete('content-length')),
  },
];

const PART_MUTATIONS: readonly Mutation[] = [
  { rule: 'refget.coordinates.status', fault: 'answers 206 for a part', break: withStatus(206, isMiddle) },
  {
    rule: 'refget.coordinates.bases',
    fault: 'includes the base at end',
    break: changeRequest(isMiddle, ({ searchParams }) => {
      searchParams.set('end', String(Number(searchParams.get('end')) + 1));
    }),
  },
  {
    rule: 'refget.coordinates.first-base',
    fault: 'counts from 1',
    break: changeText(hasQuery('?start=0&end=1'), () => ''),
  },
  {
    rule: 'refget.coordinates.last-base',
    fault: 'does not send the last base',
    break: withStatus(416, (url, request) => isPart(url, request) && isLength(url, 'end')),
  },
  {
    rule: 'refget.coordinates.start-alone',
    fault: 'ignores start without end',
    break: changeRequest(
      (url) => !url.searchParams.has('end'),
      ({ searchParams }) => searchParams.delete('start'),
    ),
  },
  {
    rule: 'refget.coordinates.end-alone',
    fault: 'ignores end without start',
    break: changeRequest(
      (url) => !url.searchParams.has('start'),
      ({ searchParams }) => searchParams.delete('end'),
    ),
  },
  {
    rule: 'refget.coordinates.everything',
    fault: 'sends all but the last base',
    break: changeText(
      (url, request) => isPart(url, request) && numberOf(url, 'start') === 0 && isLength(url, 'end'),
      (text) => text.slice(0, -1),
    ),
  },
  {
    rule: 'refget.coordinates.everywhere',
    fault: 'repeats a base at the end of a line of 60 bases',
    break: changeText(hasQuery('?start=57&end=62'), (text) =>
      `${text.slice(0, 3)}${text.slice(2, -1)}`.replace('N', 'A'),
    ),
  },
  {
    rule: 'refget.coordinates.equal',
    fault: 'answers 416 if start equals end',
    break: withStatus(416, (url) => numberOf(url, 'start') > 0 && numberOf(url, 'start') === numberOf(url, 'end')),
  },
  {
    rule: 'refget.coordinates.equal-zero',
    fault: 'sends the whole sequence for start=0 and end=0',
    break: changeText(hasQuery('?start=0&end=0'), () => 'ACGT'),
  },
  {
    rule: 'refget.coordinates.accept-ranges',
    fault: 'sends Accept-Ranges: bytes with a part',
    break: changeHeaders(isMiddle, (headers) => headers.set('accept-ranges', 'bytes')),
  },
  {
    rule: 'refget.coordinates.content-type',
    fault: 'sends a part as binary',
    break: changeHeaders(isMiddle, (headers) => headers.set('content-type', 'application/octet-stream')),
  },
  {
    rule: 'refget.coordinates.content-length',
    fault: 'does not send the length of a part',
    break: changeHeaders(isMiddle, (headers) => headers.delete('content-length')),
  },
  {
    rule: 'refget.coordinates.unknown-parameter',
    fault: 'rejects parameters that are not defined',
    break: withStatus(400, (url) => url.searchParams.has('htskit-conform')),
  },
];

/** Values that are not unsigned integers, as they are written in a URL. */
const MALFORMED: Readonly<Record<string, string>> = {
  letters: 'abc',
  negative: '-1',
  fraction: '1.5',
  exponent: '1e1',
  hexadecimal: '0x1',
  empty: '',
  sign: '%2B1',
  space: '%201',
};

const MALFORMED_MUTATIONS = Object.entries(MALFORMED).flatMap(([name, text]): readonly Mutation[] => [
  {
    rule: `refget.coordinates.start-${name}`,
    fault: 'ignores such a start',
    break: withStatus(200, hasQuery(`?start=${text}`)),
  },
  {
    rule: `refget.coordinates.end-${name}`,
    fault: 'answers 416 for such an end',
    break: withStatus(416, hasQuery(`?start=0&end=${text}`)),
  },
]);

const INVALID_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.coordinates.start-beyond-end',
    fault: 'answers 416 for a start that is larger than the length',
    break: withStatus(416, (url) => isLength(url, 'start', 1)),
  },
  {
    rule: 'refget.coordinates.part-beyond-end',
    fault: 'sends no bases for a part after the last one',
    break: withStatus(200, (url) => isLength(url, 'end', 2)),
  },
  {
    rule: 'refget.coordinates.start-too-large',
    fault: 'answers 500 for a start of more than 32 bits',
    break: withStatus(500, hasQuery('?start=4294967296')),
  },
  {
    rule: 'refget.coordinates.end-too-large',
    fault: 'answers 500 for an end of more than 32 bits',
    break: withStatus(500, hasQuery('?start=0&end=4294967296')),
  },
  {
    rule: 'refget.coordinates.start-at-end',
    fault: 'answers 200 for a start that equals the length',
    break: withStatus(200, (url) => isLength(url, 'start') && !url.searchParams.has('end')),
  },
  {
    rule: 'refget.coordinates.equal-at-end',
    fault: 'answers 200 for start and end that equal the length',
    break: withStatus(200, (url) => isLength(url, 'start') && isLength(url, 'end')),
  },
  {
    rule: 'refget.coordinates.end-beyond-end',
    fault: 'clips an end that is larger than the length',
    break: changeRequest(
      (url) => url.searchParams.get('start') === '0' && isLength(url, 'end', 1),
      ({ searchParams }) => searchParams.delete('end'),
    ),
  },
  {
    rule: 'refget.coordinates.repeated',
    fault: 'uses the first of two values',
    break: withStatus(200, hasQuery('?start=0&start=1')),
  },
  ...Object.entries({
    'start-with-range': '?start=1',
    'start-zero-with-range': '?start=0',
    'end-with-range': '?end=2',
  }).map(
    ([name, search]): Mutation => ({
      rule: `refget.coordinates.${name}`,
      fault: 'ignores the Range header',
      break: withStatus(
        200,
        (url, request) => isSequence(url, request) && url.search === search && request.headers.has('range'),
      ),
    }),
  ),
];

export const COORDINATE_MUTATIONS: readonly Mutation[] = [
  ...WHOLE_MUTATIONS,
  ...PART_MUTATIONS,
  ...MALFORMED_MUTATIONS,
  ...INVALID_MUTATIONS,
];
