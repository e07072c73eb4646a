import { describeAnswer, isJsonObject, type JsonObject } from '../engine/answer.js';
import { allKept, broken, KEPT, type Rule, type Verdict } from '../engine/rule.js';
import { BASE_MEMBERS, expectMember, isText, isTime } from '../refget/documents/service-info-rules.js';
import { describeValue, expectHeader, expectStatus } from '../refget/expect-answer.js';
import {
  askObject,
  type DescribedObject,
  type DrsSubject,
  objectsOf,
  withBundle,
  withFile,
  withObject,
} from './drs-subject.js';

const SERVICE_INFO = { section: 'service-info', level: 'MUST', scope: 'service' } as const;
const OBJECT = { section: 'DrsObject', level: 'MUST', scope: 'object' } as const;
const UNKNOWN_ID = 'htskit-conform-no-such-object';
const ACCESS_TYPES: readonly unknown[] = ['s3', 'gs', 'ftp', 'gsiftp', 'globus', 'htsget', 'https', 'file'];

/** Checks a member of a description. */
function expectIn(
  { object, answer }: DescribedObject,
  name: string,
  expected: string,
  isExpected: (value: unknown) => boolean,
): Verdict {
  if (isExpected(object[name])) return KEPT;
  return broken(answer, { expected: `"${name}": ${expected}`, found: describeValue(object[name]) });
}

/** Checks each object in an array of a description. */
function everyObject(
  described: DescribedObject,
  name: string,
  expected: string,
  isExpected: (value: JsonObject) => boolean,
): Verdict {
  const wrong = objectsOf(described, name).find((value) => !isExpected(value));
  return wrong === undefined ? KEPT : broken(described.answer, { expected, found: describeValue(wrong) });
}

export const DRS_OBJECT_RULES: readonly Rule<DrsSubject>[] = [
  ...BASE_MEMBERS.map(
    ({ name, ...member }): Rule<DrsSubject> => ({
      ...SERVICE_INFO,
      id: `drs.service-info.${name}`,
      title: `has "${member.path}" in service-info: ${member.expected}`,
      run: async (subject) => expectMember(subject, member),
    }),
  ),
  {
    ...SERVICE_INFO,
    id: 'drs.service-info.artifact',
    title: 'has the artifact drs',
    run: async (subject) =>
      expectMember(subject, { path: 'type.artifact', expected: '"drs"', isExpected: (value) => value === 'drs' }),
  },
  {
    ...OBJECT,
    id: 'drs.object.document',
    title: 'answers 200 with the description of an object',
    run: async (subject) => {
      const answer = await askObject(subject, subject.id);
      if (answer.status === 200 && answer.object !== undefined) return KEPT;
      return broken(answer, { expected: 'status 200 and a JSON object', found: describeAnswer(answer) });
    },
  },
  {
    ...OBJECT,
    id: 'drs.object.id',
    title: 'has an id by which the same object is described',
    run: withObject(async (described, subject) => {
      const id = described.object['id'];
      if (typeof id !== 'string')
        return broken(described.answer, { expected: '"id": a string', found: describeValue(id) });
      const answer = await askObject(subject, id);
      return answer.object?.['self_uri'] === described.object['self_uri'] ? KEPT : expectStatus(answer, 200);
    }),
  },
  {
    ...OBJECT,
    id: 'drs.object.self-uri',
    title: 'has a drs:// URI of the object',
    run: withObject((described) =>
      expectIn(described, 'self_uri', 'a URI that begins with drs://', (value) =>
        /^drs:\/\/[^/]+\S*$/.test(String(value)),
      ),
    ),
  },
  {
    ...OBJECT,
    id: 'drs.object.size',
    title: 'has the size as an integer',
    run: withObject((described) =>
      expectIn(described, 'size', 'an integer', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
    ),
  },
  {
    ...OBJECT,
    id: 'drs.object.created-time',
    title: 'has the time of its creation by RFC 3339',
    run: withObject((described) => expectIn(described, 'created_time', 'a date and time', isTime)),
  },
  {
    ...OBJECT,
    id: 'drs.object.updated-time',
    title: 'has the time of its last change by RFC 3339, if it has one',
    run: withObject((described) =>
      expectIn(described, 'updated_time', 'a date and time', (value) => value === undefined || isTime(value)),
    ),
  },
  {
    ...OBJECT,
    id: 'drs.object.checksums',
    title: 'has at least one checksum with its type',
    run: withObject((described) => {
      const array = expectIn(described, 'checksums', 'an array', (value) => Array.isArray(value) && value.length > 0);
      if (array.kind !== 'kept') return array;
      const isChecksum = ({ type, checksum }: JsonObject): boolean => isText(type) && isText(checksum);
      return everyObject(described, 'checksums', '"type" and "checksum" as strings', isChecksum);
    }),
  },
  {
    ...OBJECT,
    id: 'drs.object.name',
    level: 'SHOULD',
    title: 'has a name of characters that POSIX calls portable, if it has one',
    run: withObject((described) => {
      const isPortable = (value: unknown): boolean => typeof value === 'string' && /^[\w.-]+$/.test(value);
      const isExpected = (value: unknown): boolean => value === undefined || isPortable(value);
      return expectIn(described, 'name', 'A-Z, a-z, 0-9, ".", "-" and "_"', isExpected);
    }),
  },
  {
    ...OBJECT,
    id: 'drs.object.access-methods',
    title: 'has an access method with a URL or an access id for a file',
    run: withFile((described) => {
      const array = expectIn(
        described,
        'access_methods',
        'an array',
        (value) => Array.isArray(value) && value.length > 0,
      );
      if (array.kind !== 'kept') return array;
      return everyObject(
        described,
        'access_methods',
        '"access_url" or "access_id"',
        ({ access_url: url, access_id: id }) => (isJsonObject(url) && isText(url['url'])) || isText(id),
      );
    }),
  },
  {
    ...OBJECT,
    id: 'drs.object.access-types',
    title: 'has a type of the specification in each access method',
    run: withFile((described) =>
      everyObject(described, 'access_methods', `a type of ${ACCESS_TYPES.join(', ')}`, ({ type }) =>
        ACCESS_TYPES.includes(type),
      ),
    ),
  },
  {
    ...OBJECT,
    id: 'drs.bundle.names',
    section: 'ContentsObject',
    title: 'has a name, unique in the bundle, for each object in it',
    run: withBundle((described) => {
      const names = objectsOf(described, 'contents').map(({ name }) => name);
      if (names.every(isText) && new Set(names).size === names.length) return KEPT;
      return broken(described.answer, { expected: 'different names', found: describeValue(names) });
    }),
  },
  {
    ...OBJECT,
    id: 'drs.bundle.contents',
    section: 'ContentsObject',
    title: 'describes the objects of a bundle by their ids',
    run: withBundle((described, subject) => {
      const ids = objectsOf(described, 'contents').map(({ id }) => id);
      return allKept(
        ids
          .filter((id) => typeof id === 'string')
          .slice(0, 5)
          .map((id) => async () => expectStatus(await askObject(subject, id), 200)),
      );
    }),
  },
  {
    ...OBJECT,
    id: 'drs.errors.unknown-id',
    section: 'GetObject, 404',
    scope: 'service',
    title: 'answers 404 for an unknown id',
    run: async (subject) => expectStatus(await askObject(subject, UNKNOWN_ID), 404),
  },
  {
    ...OBJECT,
    id: 'drs.errors.body',
    section: 'Error',
    scope: 'service',
    level: 'SHOULD',
    title: 'has msg and status_code in the body of an error',
    run: async (subject) => {
      const answer = await askObject(subject, UNKNOWN_ID);
      const { msg, status_code: status } = answer.object ?? {};
      if (isText(msg) && status === answer.status) return KEPT;
      return broken(answer, { expected: '"msg" and "status_code"', found: describeAnswer(answer) });
    },
  },
  {
    ...OBJECT,
    id: 'drs.cors.object',
    section: 'CORS',
    level: 'SHOULD',
    title: 'allows pages of any origin to read a description',
    run: async ({ endpoint, id, probe }) => {
      const url = `${endpoint}/objects/${encodeURIComponent(id)}`;
      const origin = 'https://browser.example';
      const isExpected = (value: string | undefined): boolean => value === '*' || value === origin;
      const answer = await probe.ask({ url, headers: { origin } });
      return expectHeader(answer, 'Access-Control-Allow-Origin', { expected: `* or ${origin}`, isExpected });
    },
  },
];
