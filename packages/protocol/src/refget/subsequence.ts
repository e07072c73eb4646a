import { parseDecimal, quote } from '../parameter.js';
import { RefgetError } from './error.js';

const MAX_UINT32 = 2n ** 32n - 1n;

/**
 * The requested bases in 0-based, half-open coordinates. `start` may be greater than `end`, which on a circular sequence is a
 * range across its origin.
 */
export interface Subsequence {
  readonly start?: number;
  readonly end?: number;
}

/**
 * Parses `start` and `end` of a sequence request (refget 2.0.0, "GET /sequence/{id}"). Other parameters are ignored. Throws
 * `RefgetError` Bad Request if a value is not an unsigned 32-bit integer or a parameter is repeated.
 *
 * @example
 * parseSubsequence(new URLSearchParams('start=10&end=20')); // { start: 10, end: 20 }
 */
export function parseSubsequence(params: URLSearchParams): Subsequence {
  const start = parseCoordinate(params, 'start');
  const end = parseCoordinate(params, 'end');
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

function parseCoordinate(params: URLSearchParams, name: 'start' | 'end'): number | undefined {
  const [text, ...repeated] = params.getAll(name);
  if (text === undefined) return undefined;
  if (repeated.length > 0) throw new RefgetError('Bad Request', `${name} is given more than once`);
  const value = parseDecimal(text, MAX_UINT32);
  if (value === undefined) {
    throw new RefgetError('Bad Request', `${name} must be an integer from 0 to 2^32-1, found ${quote(text)}`);
  }
  return Number(value);
}
