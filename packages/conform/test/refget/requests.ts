import type { RequestFilter } from '../service/faults.js';

/** The lengths of the sequences that the tests check. */
const LENGTHS: readonly number[] = [16_569, 5003, 3503, 40_000];

/** Returns a number that a query has. */
export const numberOf = ({ searchParams }: URL, name: string): number => Number(searchParams.get(name) ?? Number.NaN);

/** Returns whether a query parameter is the length of a sequence, plus an offset. */
export function isLength(url: URL, name: string, offset = 0): boolean {
  return LENGTHS.includes(numberOf(url, name) - offset);
}

/** Requests for a sequence, or a part of one. */
export const isSequence: RequestFilter = ({ pathname }) =>
  /^\/sequence\/[^/]+$/.test(pathname) && pathname !== '/sequence/service-info';

/** Requests for a whole sequence without conditions. */
export const isWhole: RequestFilter = (url, request) =>
  isSequence(url, request) && url.search === '' && !request.headers.has('range') && request.method === 'GET';

/** Requests for a part by start and end. */
export const isPart: RequestFilter = (url, request) =>
  isSequence(url, request) && url.searchParams.has('start') && url.searchParams.has('end');

/** Requests for a part from the middle of a sequence. */
export const isMiddle: RequestFilter = (url, request) =>
  isPart(url, request) && numberOf(url, 'start') > 0 && numberOf(url, 'end') - numberOf(url, 'start') > 10;

/** Requests for a sequence with a query. */
export function hasQuery(search: string): RequestFilter {
  return (url, request) => isSequence(url, request) && url.search === search;
}

/** Requests for a sequence with a Range header. */
export function hasRange(pattern: RegExp): RequestFilter {
  return (url, request) =>
    isSequence(url, request) && url.search === '' && pattern.test(request.headers.get('range') ?? '');
}

/** Requests with an Accept header for a sequence or a document. */
export function accepts(value: string, matches: RequestFilter): RequestFilter {
  return (url, request) => request.headers.get('accept') === value && matches(url, request);
}

export const isMetadata: RequestFilter = ({ pathname }) => /^\/sequence\/[^/]+\/metadata$/.test(pathname);

export const isServiceInfo: RequestFilter = ({ pathname }) => pathname === '/sequence/service-info';
