import { type Answer, describeAnswer, excerpt } from '../engine/answer.js';
import { broken, KEPT, type Verdict } from '../engine/rule.js';

/** Checks that an answer has one of the statuses. */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): Verdict {
  if (statuses.includes(answer.status)) return KEPT;
  return broken(answer, { expected: `status ${statuses.join(' or ')}`, found: describeAnswer(answer) });
}

/** Checks that an answer has the status and that its body is exactly these bases. */
export function expectBases(answer: Answer, bases: Uint8Array, status = 200): Verdict {
  if (answer.status !== status) return expectStatus(answer, status);
  const { body } = answer;
  const different = firstDifference(body, bases);
  if (different === undefined) return KEPT;
  const expected = `${bases.length} bases: ${quoteFrom(bases, different)}`;
  return broken(answer, { expected, found: `${body.length} bases: ${quoteFrom(body, different)}` });
}

/** Checks that an answer is 200 and that its body begins with these bases. Compares sequences without fetching all of them. */
export function expectBasesAtStart(answer: Answer, bases: Uint8Array): Verdict {
  if (answer.status !== 200) return expectStatus(answer, 200);
  const start = answer.body.subarray(0, bases.length);
  const different = firstDifference(start, bases);
  if (different === undefined) return KEPT;
  return broken(answer, { expected: quoteFrom(bases, different), found: quoteFrom(start, different) });
}

/** Checks a header. `isExpected` gets the value in lower case, or undefined without the header. */
export function expectHeader(
  answer: Answer,
  name: string,
  { expected, isExpected }: { readonly expected: string; readonly isExpected: (value: string | undefined) => boolean },
): Verdict {
  const value = answer.headers.get(name);
  if (isExpected(value?.toLowerCase())) return KEPT;
  return broken(answer, {
    expected: `${name}: ${expected}`,
    found: value === null ? `no ${name}` : `${name}: ${value}`,
  });
}

/** Checks that an answer has a Content-Length. HTTP clients compare it with the body, and a different one is not an answer. */
export function expectLength(answer: Answer): Verdict {
  const isExpected = (value: string | undefined): boolean => value !== undefined;
  return expectHeader(answer, 'Content-Length', { expected: String(answer.body.length), isExpected });
}

/** Checks a value of a JSON document, which `what` names. */
export function expectValue(
  answer: Answer,
  what: string,
  { expected, found }: { readonly expected: unknown; readonly found: unknown },
): Verdict {
  if (found === expected) return KEPT;
  return broken(answer, { expected: `${what} ${JSON.stringify(expected)}`, found: describeValue(found) });
}

/** Writes a value of a JSON document for a report. */
export function describeValue(value: unknown): string {
  return value === undefined ? 'no such member' : excerpt(JSON.stringify(value));
}

/** Bases that a report quotes. */
const QUOTED_BASES = 20;

function quoteFrom(bases: Uint8Array, offset: number): string {
  const text = new TextDecoder().decode(bases.subarray(offset, offset + QUOTED_BASES));
  return `${JSON.stringify(text)} at base ${offset}`;
}

function firstDifference(one: Uint8Array, other: Uint8Array): number | undefined {
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return index;
  return undefined;
}
