import { describeAnswer, isJsonObject, type JsonObject } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { describeValue } from '../expect-answer.js';
import type { RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'Method: Fetch information on the service', level: 'MUST', scope: 'service' } as const;
const BASE_SECTION = 'GA4GH service-info 1.0.0';

/** A member of a document and the values that it may have. */
export interface MemberCheck {
  /** The path of the member, with dots. */
  readonly path: string;
  readonly expected: string;
  readonly isExpected: (value: unknown) => boolean;
}

/** Checks the value of a member of service-info. */
export function expectMember(
  { info }: Pick<RefgetSubject, 'info'>,
  { path, expected, isExpected }: MemberCheck,
): Verdict {
  if (info.object === undefined) return inapplicable('service-info is not a JSON object');
  const value = memberAt(info.object, path);
  return isExpected(value) ? KEPT : broken(info, { expected: `"${path}": ${expected}`, found: describeValue(value) });
}

function memberAt(document: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), document);
}

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);
export const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/i.test(value);
const isOptional =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || value === null || check(value);

/** The members that every service-info document has (GA4GH service-info 1.0.0). */
export const BASE_MEMBERS: readonly (MemberCheck & { readonly name: string })[] = [
  { name: 'id', path: 'id', expected: 'a string', isExpected: isText },
  { name: 'name', path: 'name', expected: 'a string', isExpected: isText },
  { name: 'type-group', path: 'type.group', expected: 'a string such as "org.ga4gh"', isExpected: isText },
  { name: 'type-artifact', path: 'type.artifact', expected: 'a string', isExpected: isText },
  { name: 'type-version', path: 'type.version', expected: 'a string', isExpected: isText },
  { name: 'organization-name', path: 'organization.name', expected: 'a string', isExpected: isText },
  { name: 'organization-url', path: 'organization.url', expected: 'a URL', isExpected: isUrl },
  { name: 'version', path: 'version', expected: 'a string', isExpected: isText },
  { name: 'contact-url', path: 'contactUrl', expected: 'a URL, if any', isExpected: isOptional(isUrl) },
  { name: 'documentation-url', path: 'documentationUrl', expected: 'a URL, if any', isExpected: isOptional(isUrl) },
  { name: 'created-at', path: 'createdAt', expected: 'a date and time, if any', isExpected: isOptional(isTime) },
  { name: 'updated-at', path: 'updatedAt', expected: 'a date and time, if any', isExpected: isOptional(isTime) },
];

const BASE_RULES = BASE_MEMBERS.map(
  ({ name, ...member }): Rule<RefgetSubject> => ({
    ...RULE,
    section: BASE_SECTION,
    id: `refget.service-info.${name}`,
    title: `has "${member.path}" in service-info: ${member.expected}`,
    run: async (subject) => expectMember(subject, member),
  }),
);

export const SERVICE_INFO_RULES: readonly Rule<RefgetSubject>[] = [
  {
    ...RULE,
    id: 'refget.service-info.document',
    title: 'answers 200 with a JSON object for /sequence/service-info',
    run: async ({ info }) => {
      if (info.status === 200 && info.object !== undefined) return KEPT;
      return broken(info, { expected: 'status 200 and a JSON object', found: describeAnswer(info) });
    },
  },
  ...BASE_RULES,
  {
    ...RULE,
    id: 'refget.service-info.artifact',
    title: 'has the artifact refget',
    readings: ['the artifact is refget', 'it is refget-sequence, as in the example of the specification'],
    run: async (subject) =>
      expectMember(subject, { path: 'type.artifact', expected: '"refget"', isExpected: (value) => value === 'refget' }),
  },
  {
    ...RULE,
    id: 'refget.service-info.protocol-version',
    level: 'SHOULD',
    title: 'has the version of the protocol, 2.0.0, as type.version',
    run: async (subject) =>
      expectMember(subject, {
        path: 'type.version',
        expected: '"2.0.0"',
        isExpected: (value) => typeof value === 'string' && /^v?2\.0(?:\.0)?$/.test(value),
      }),
  },
  {
    ...RULE,
    id: 'refget.service-info.circular-supported',
    title: 'says whether circular sequences are supported',
    run: async (subject) =>
      expectMember(subject, {
        path: 'refget.circular_supported',
        expected: 'true or false',
        isExpected: (value) => typeof value === 'boolean',
      }),
  },
  {
    ...RULE,
    id: 'refget.service-info.algorithms',
    title: 'lists the supported algorithms of digests',
    run: async (subject) =>
      expectMember(subject, { path: 'refget.algorithms', expected: 'an array of strings', isExpected: isTexts }),
  },
  {
    ...RULE,
    id: 'refget.service-info.md5',
    section: 'Alternative Checksum Algorithms',
    title: 'supports MD5',
    run: async (subject) => expectAlgorithm(subject, 'md5'),
  },
  {
    ...RULE,
    id: 'refget.service-info.ga4gh',
    section: 'Alternative Checksum Algorithms',
    level: 'SHOULD',
    title: 'supports SQ. digests',
    run: async (subject) => expectAlgorithm(subject, 'ga4gh'),
  },
  {
    ...RULE,
    id: 'refget.service-info.identifier-types',
    title: 'lists the naming authorities whose names identify sequences',
    run: async (subject) =>
      expectMember(subject, { path: 'refget.identifier_types', expected: 'an array of strings', isExpected: isTexts }),
  },
  {
    ...RULE,
    id: 'refget.service-info.subsequence-limit',
    title: 'has an integer or null as the limit of parts',
    run: async (subject) =>
      expectMember(subject, {
        path: 'refget.subsequence_limit',
        expected: 'an integer or null',
        isExpected: (value) => value === null || Number.isInteger(value),
      }),
  },
];

function expectAlgorithm(subject: RefgetSubject, name: string): Verdict {
  const { algorithms } = subject.capabilities;
  if (!Array.isArray(algorithms)) return inapplicable('service-info lists no algorithms');
  return expectMember(subject, {
    path: 'refget.algorithms',
    expected: `an array with "${name}"`,
    isExpected: () => algorithms.includes(name),
  });
}
