import { type Answer, describeAnswer, isJsonObject } from '../../engine/answer.js';
import { broken, KEPT, type Verdict } from '../../engine/rule.js';

/** The status of each error (htsget 1.3.1, "Errors"). */
const ERROR_STATUSES = {
  InvalidAuthentication: 401,
  PermissionDenied: 403,
  NotFound: 404,
  PayloadTooLarge: 413,
  UnsupportedFormat: 400,
  InvalidInput: 400,
  InvalidRange: 400,
} as const;

export type ErrorName = keyof typeof ERROR_STATUSES;

/** Checks that an answer has the status of one of these errors. Their names are checked apart, since they are a SHOULD. */
export function expectErrorStatus(answer: Answer, ...names: readonly ErrorName[]): Verdict {
  const statuses = [...new Set(names.map((name) => ERROR_STATUSES[name]))];
  if (statuses.some((status) => status === answer.status)) return KEPT;
  return broken(answer, { expected: `status ${statuses.join(' or ')}`, found: describeAnswer(answer) });
}

/** Checks that an answer is one of these errors: its status, and its name in the body. */
export function expectError(answer: Answer, ...names: readonly ErrorName[]): Verdict {
  const status = expectErrorStatus(answer, ...names);
  if (status.kind !== 'kept') return status;
  const found = errorName(answer);
  if (names.some((name) => name === found)) return KEPT;
  return broken(answer, { expected: `an error body that names ${names.join(' or ')}`, found: describeAnswer(answer) });
}

/** Returns the name of the error in the body of an answer, or undefined if it is not an error body. */
export function errorName({ object }: Answer): string | undefined {
  const htsget = object?.['htsget'];
  const name = isJsonObject(htsget) ? htsget['error'] : undefined;
  return typeof name === 'string' ? name : undefined;
}
