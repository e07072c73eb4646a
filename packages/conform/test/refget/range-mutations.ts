import { changeHeaders, changeRequestHeader, changeText, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';
import { type HeadFilter, hasQuery, hasRange, isLength, isPart, isWhole, numberOf } from './requests.js';
import { WITH_LIMIT, WITHOUT_CIRCULAR } from './services.js';

/** Requests for bytes from the middle of a sequence. */
const isMiddle: HeadFilter = (url, request) => {
  const [start = 0, end = 0] =
    /^bytes=(\d+)-(\d+)$/
      .exec(request.headers.get('range') ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  return hasRange(/./)(url, request) && start > 0 && end - start > 10 && end < 40_000 && start < 14_000;
};

const RANGE_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.range.bases',
    fault: 'excludes the last byte of a Range',
    break: changeRequestHeader(isMiddle, 'range', (range) => range.replace(/\d+$/, (end) => String(Number(end) - 1))),
  },
  {
    rule: 'refget.range.first-base',
    fault: 'sends no bases for bytes=0-0',
    break: changeText(hasRange(/^bytes=0-0$/), () => ''),
  },
  {
    rule: 'refget.range.last-base',
    fault: 'answers 416 for the last byte',
    break: withStatus(416, hasRange(/^bytes=(\d{4,})-\1$/)),
  },
  {
    rule: 'refget.range.open',
    fault: 'answers 400 without a last byte',
    break: withStatus(400, hasRange(/^bytes=\d+-$/)),
  },
  {
    rule: 'refget.range.suffix',
    fault: 'counts from the beginning',
    break: changeRequestHeader(hasRange(/^bytes=-2$/), 'range', () => 'bytes=0-2'),
  },
  {
    rule: 'refget.range.everywhere',
    fault: 'sends line feeds as bases',
    break: changeText(hasRange(/^bytes=57-61$/), (text) => `${text.slice(0, 3)}\n${text.slice(3, -1)}`),
  },
  {
    rule: 'refget.range.partial',
    fault: 'ignores Range headers',
    break: changeRequestHeader(isMiddle, 'range', () => null),
  },
  {
    rule: 'refget.range.content-range',
    fault: 'excludes the last byte in Content-Range',
    break: changeHeaders(isMiddle, (headers) => headers.set('content-range', 'bytes 1-2/3')),
  },
  {
    rule: 'refget.range.content-length',
    fault: 'does not send the length of a part',
    break: changeHeaders(isMiddle, (headers) => headers.delete('content-length')),
  },
  {
    rule: 'refget.range.content-type',
    fault: 'sends a part as binary',
    break: changeHeaders(isMiddle, (headers) => headers.set('content-type', 'application/octet-stream')),
  },
  {
    rule: 'refget.range.accept-ranges',
    fault: 'sends Accept-Ranges: none with a whole sequence',
    break: changeHeaders(isWhole, (headers) => headers.set('accept-ranges', 'none')),
  },
  {
    rule: 'refget.range.several-parts',
    fault: 'sends several parts',
    break: changeHeaders(hasRange(/,/), (headers) => headers.set('content-type', 'multipart/byteranges; boundary=x')),
  },
  {
    rule: 'refget.range.beyond-end',
    fault: 'answers 416',
    break: withStatus(416, hasRange(/^bytes=(?:16569|5003|3503|40000)-/)),
  },
  { rule: 'refget.range.reversed', fault: 'answers 400', break: withStatus(400, hasRange(/^bytes=2-0$/)) },
  { rule: 'refget.range.several', fault: 'sends the first of several ranges', break: withStatus(206, hasRange(/,/)) },
  { rule: 'refget.range.unit', fault: 'ignores the unit', break: withStatus(206, hasRange(/^bases=/)) },
  {
    rule: 'refget.range.malformed',
    fault: 'ignores a malformed header',
    break: withStatus(200, hasRange(/ab-19|--|-10-|==/)),
  },
  {
    rule: 'refget.range.clipped',
    fault: 'answers 400 for such a Range',
    break: withStatus(400, hasRange(/^bytes=\d+-(?:16669|5103|3603|40100)$/)),
  },
  {
    rule: 'refget.range.no-wrap',
    fault: 'sends bases across the origin',
    break: withStatus(206, hasRange(/^bytes=\d{4,}-0$/)),
  },
];

/** Requests for a part across the origin. */
const wraps: HeadFilter = (url, request) => isPart(url, request) && numberOf(url, 'start') > numberOf(url, 'end');

const CIRCULAR_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.circular.wrap',
    fault: 'sends the bases before the origin only',
    break: changeText(
      (url, request) => wraps(url, request) && numberOf(url, 'end') === 1,
      (text) => text.slice(0, 2),
    ),
  },
  {
    rule: 'refget.circular.longest',
    fault: 'sends the complement of the part',
    break: changeText(
      (url, request) => wraps(url, request) && numberOf(url, 'end') > 1,
      () => 'A',
    ),
  },
  {
    rule: 'refget.circular.end-zero',
    fault: 'answers 416 for end=0',
    break: withStatus(416, (url, request) => wraps(url, request) && numberOf(url, 'end') === 0),
  },
  {
    rule: 'refget.circular.accept-ranges',
    fault: 'sends Accept-Ranges: bytes with such a part',
    break: changeHeaders(wraps, (headers) => headers.set('accept-ranges', 'bytes')),
  },
  {
    rule: 'refget.circular.start-beyond-end',
    fault: 'counts around the origin',
    break: withStatus(200, (url, request) => wraps(url, request) && isLength(url, 'start', 1)),
  },
  {
    rule: 'refget.circular.start-at-end',
    fault: 'answers 200 for a start that equals the length',
    break: withStatus(200, (url, request) => wraps(url, request) && isLength(url, 'start')),
  },
  {
    rule: 'refget.circular.linear',
    fault: 'answers 501 for sequences that are not circular',
    break: withStatus(501, (url, request) => wraps(url, request) && isLength(url, 'start', -2)),
  },
  {
    rule: 'refget.circular.unsupported',
    fault: 'answers 400 if start is greater than end',
    break: withStatus(400, wraps),
    service: WITHOUT_CIRCULAR,
  },
  {
    rule: 'refget.circular.unsupported-status',
    fault: 'answers 416 if start is greater than end',
    break: withStatus(416, wraps),
    service: WITHOUT_CIRCULAR,
  },
];

const LIMIT_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.limit.over',
    fault: 'answers 400 over the limit',
    break: withStatus(400, hasQuery('?start=0&end=2001')),
    service: WITH_LIMIT,
  },
  {
    rule: 'refget.limit.at',
    fault: 'answers 416 at the limit',
    break: withStatus(416, hasQuery('?start=0&end=2000')),
    service: WITH_LIMIT,
  },
  {
    rule: 'refget.limit.range',
    fault: 'does not limit Range headers',
    break: withStatus(206, hasRange(/^bytes=0-2000$/)),
    service: WITH_LIMIT,
  },
];

export const PART_MUTATIONS: readonly Mutation[] = [...RANGE_MUTATIONS, ...CIRCULAR_MUTATIONS, ...LIMIT_MUTATIONS];
