import type { Answer } from '../../engine/answer.js';
import { inapplicable, type Rule } from '../../engine/rule.js';
import { expectError, expectErrorStatus } from '../errors/expect-error.js';
import { type HtsgetSubject, ticketRequest } from '../htsget-subject.js';

const OPEN_TO_ALL = 'the object may be read without a token';

/** Asks for the header without the token of the run. */
function askAnonymously(subject: HtsgetSubject, authorization?: string): Promise<Answer> {
  const headers: Readonly<Record<string, string>> = authorization === undefined ? {} : { authorization };
  const request = ticketRequest(subject, { format: subject.format, class: 'header' }, headers);
  return subject.probe.ask({ ...request, isAuthorized: false });
}

/** Rules for objects that need a token. They do not apply if the header is answered without one. */
export const AUTH_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    id: 'htsget.auth.no-token',
    section: 'Authentication 6',
    level: 'SHOULD',
    scope: 'object',
    title: 'answers 401 InvalidAuthentication or 403 PermissionDenied without a token',
    async run(subject) {
      const answer = await askAnonymously(subject);
      if (answer.status === 200) return inapplicable(OPEN_TO_ALL);
      return expectError(answer, 'InvalidAuthentication', 'PermissionDenied');
    },
  },
  {
    id: 'htsget.auth.invalid-token',
    section: 'Authentication 6',
    level: 'MUST',
    scope: 'object',
    title: 'refuses an invalid token',
    async run(subject) {
      if ((await askAnonymously(subject)).status === 200) return inapplicable(OPEN_TO_ALL);
      const answer = await askAnonymously(subject, 'Bearer htskit-conform-no-such-token');
      return expectErrorStatus(answer, 'InvalidAuthentication', 'PermissionDenied');
    },
  },
  {
    id: 'htsget.auth.invalid-token-body',
    section: 'Authentication 6',
    level: 'SHOULD',
    scope: 'object',
    title: 'answers 401 InvalidAuthentication for an invalid token',
    async run(subject) {
      if ((await askAnonymously(subject)).status === 200) return inapplicable(OPEN_TO_ALL);
      return expectError(await askAnonymously(subject, 'Bearer htskit-conform-no-such-token'), 'InvalidAuthentication');
    },
  },
];
