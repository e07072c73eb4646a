import { type Answer, describeAnswer, excerpt, isJsonObject } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { type HtsgetSubject, ticketRequest } from '../htsget-subject.js';
import { answersPost, NO_POST } from '../post/answers-post.js';
import { UNKNOWN_ID } from '../references.js';
import { type ErrorCondition, GET_CONDITIONS, POST_CONDITIONS } from './error-conditions.js';
import { expectError, expectErrorStatus } from './expect-error.js';

/** Returns the rules for a request that a service refuses: that it does, and that the body names the error. */
function rulesOf({ name, section, what, scope, errors, isMust, ask }: ErrorCondition): readonly Rule<HtsgetSubject>[] {
  const shared = { section, scope };
  const body: Rule<HtsgetSubject> = {
    ...shared,
    id: `htsget.errors.${name}-body`,
    level: 'SHOULD',
    title: `answers ${errors.join(' or ')} for ${what}`,
    run: async (subject) => expectError(await ask(subject), ...errors),
  };
  if (!isMust) return [body];
  const status: Rule<HtsgetSubject> = {
    ...shared,
    id: `htsget.errors.${name}`,
    level: 'MUST',
    title: `refuses ${what}`,
    run: async (subject) => expectRefusal(await ask(subject), ...errors),
  };
  return [status, body];
}

/** Checks that an answer has a status of 4xx. Which one is the rule about the body. */
function expectRefusal(answer: Answer, ...errors: Parameters<typeof expectErrorStatus>[1][]): Verdict {
  if (answer.status >= 400 && answer.status < 500) return KEPT;
  return expectErrorStatus(answer, ...errors);
}

/** Lets a rule about POST run only if the service answers POST. */
function onlyWithPost(rule: Rule<HtsgetSubject>): Rule<HtsgetSubject> {
  return {
    ...rule,
    run: async (subject) => ((await answersPost(subject)) ? rule.run(subject) : inapplicable(NO_POST)),
  };
}

function askUnknown({ endpoint, probe }: HtsgetSubject): Promise<Answer> {
  return probe.ask(ticketRequest({ endpoint, id: UNKNOWN_ID }));
}

const BODY_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    id: 'htsget.errors.media-type',
    section: 'Content negotiation',
    level: 'SHOULD',
    scope: 'service',
    title: 'sends error bodies as application/json',
    async run(subject) {
      const answer = await askUnknown(subject);
      if (answer.mediaType === 'application/json') return KEPT;
      return broken(answer, { expected: 'Content-Type: application/json', found: describeType(answer) });
    },
  },
  {
    id: 'htsget.errors.message',
    section: 'Error body',
    level: 'SHOULD',
    scope: 'service',
    title: 'explains an error in the member message',
    async run(subject) {
      const answer = await askUnknown(subject);
      const htsget = answer.object?.['htsget'];
      const message = isJsonObject(htsget) ? htsget['message'] : undefined;
      if (typeof message === 'string' && message !== '') return KEPT;
      return broken(answer, { expected: 'a text htsget.message', found: describeAnswer(answer) });
    },
  },
  {
    id: 'htsget.errors.only-htsget',
    section: 'What the service does 9',
    level: 'SHOULD',
    scope: 'service',
    title: 'has htsget as the only member of an error body',
    async run(subject) {
      const answer = await askUnknown(subject);
      const members = Object.keys(answer.object ?? {});
      if (members.length === 1 && members[0] === 'htsget') return KEPT;
      return broken(answer, { expected: 'an object whose only member is htsget', found: describeAnswer(answer) });
    },
  },
];

export const ERROR_RULES: readonly Rule<HtsgetSubject>[] = [
  ...GET_CONDITIONS.flatMap(rulesOf),
  ...POST_CONDITIONS.flatMap(rulesOf).map(onlyWithPost),
  ...BODY_RULES,
];

function describeType({ headers }: Answer): string {
  const type = headers.get('content-type');
  return type === null ? 'no Content-Type' : `Content-Type: ${excerpt(type)}`;
}
