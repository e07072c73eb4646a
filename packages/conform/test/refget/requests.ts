/** A filter of requests that ignores their bodies. */
export type HeadFilter = (url: URL, request: Request) => boolean;

/** The lengths of the sequences that the tests check. */
const LENGTHS: readonly number[] = [16_569, 5003, 3503, 40_000];

/** Returns a number that a query has. */
export const numberOf = ({ searchParams }: URL, name: string): number => Number(searchParams.get(name) ?? Number.NaN);

/** Returns whether a query parameter is the length of a sequence, plus an offset. */
export function isLength(url: URL, name: string, offset = 0): boolean {
  return LENGTHS.includes(numberOf(url, name) - offset);
}

/** Requests for a sequence, or a part of one. */
export const isSequence: HeadFilter = ({ pathname }) =>
  /^\/sequence\/[^/]+$/.test(pathname) && pathname !== '/sequence/service-info';

/** Requests for a whole sequence without conditions. */
export const isWhole: HeadFilter = (url, request) =>
  isSequence(url, request) && url.search === '' && !request.headers.has('range') && request.method === 'GET';

/** Requests for a part by start and end. */
export const isPart: HeadFilter = (url, request) =>
  isSequence(url, request) && url.searchParams.has('start') && url.searchParams.has('end');

/** Requests for a part from the middle of a sequence. */
export const isMiddle: HeadFilter = (url, request) =>
  isPart(url, request) && numberOf(url, 'start') > 0 && numberOf(url, 'end') - numberOf(url, 'start') > 10;

/** Requests for a sequence with a query. */
export function hasQuery(search: string): HeadFilter {
  return (url, request) => isSequence(url, request) && url.search === search;
}

/** Requests for a sequence with a Range header. */
export function hasRange(pattern: RegExp): HeadFilter {
  return (url, request) =>
    isSequence(url, request) && url.search === '' && pattern.test(request.headers.get('range') ?? '');
}

/** Requests with an Accept header for a sequence or a document. */
export function accepts(value: string, matches: HeadFilter): HeadFilter {
  return (url, request) => request.headers.get('accept') === value && matches(url, request);
}

export const isMetadata: HeadFilter = ({ pathname }) => /^\/sequence\/[^/]+\/metadata$/.test(pathname);

export const isServiceInfo: HeadFilter = ({ pathname }) => pathname === '/sequence/service-info';
