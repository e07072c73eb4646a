import { describeAnswer, isJsonObject } from '../engine/answer.js';
import { broken, KEPT, type Rule } from '../engine/rule.js';
import { BASE_MEMBERS, expectMember } from '../refget/documents/service-info-rules.js';
import { expectStatus } from '../refget/expect-answer.js';
import { askPath, qualifiedAttributes, type SeqcolSubject, withLevels } from './seqcol-subject.js';

const RULE = { section: '§3.1 Service info', level: 'MUST', scope: 'service' } as const;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((element) => typeof element === 'string');

const BASE_RULES = BASE_MEMBERS.map(
  ({ name, ...member }): Rule<SeqcolSubject> => ({
    ...RULE,
    section: 'GA4GH service-info 1.0.0',
    level: 'SHOULD',
    id: `seqcol.service-info.${name}`,
    title: `has "${member.path}" in service-info: ${member.expected}`,
    run: async (subject) => expectMember(subject, member),
  }),
);

export const SCHEMA_RULES: readonly Rule<SeqcolSubject>[] = [
  {
    ...RULE,
    id: 'seqcol.service-info.document',
    title: 'answers 200 with a JSON object for /service-info',
    run: async ({ info }) => {
      if (info.status === 200 && info.object !== undefined) return KEPT;
      return broken(info, { expected: 'status 200 and a JSON object', found: describeAnswer(info) });
    },
  },
  ...BASE_RULES,
  {
    ...RULE,
    id: 'seqcol.service-info.artifact',
    title: 'has the artifact refget-seqcol',
    readings: [
      'the artifact is refget-seqcol, as in the example of the specification',
      'it is refget.seqcol, as in its text',
    ],
    run: async (subject) =>
      expectMember(subject, {
        path: 'type.artifact',
        expected: '"refget-seqcol"',
        isExpected: (value) => value === 'refget-seqcol',
      }),
  },
  {
    ...RULE,
    id: 'seqcol.service-info.schema',
    title: 'has the JSON Schema of its collections in service-info',
    run: async (subject) =>
      expectMember(subject, {
        path: 'seqcol.schema.properties',
        expected: 'an object with the attributes',
        isExpected: isJsonObject,
      }),
  },
  {
    ...RULE,
    id: 'seqcol.service-info.inherent',
    section: '§4.7 Method of specifying attribute qualifiers',
    title: 'lists the inherent attributes in the schema',
    run: async (subject) =>
      expectMember(subject, {
        path: 'seqcol.schema',
        expected: '{ "ga4gh": { "inherent": [names of attributes] } }',
        isExpected: () => qualifiedAttributes(subject, 'inherent').length > 0,
      }),
  },
  {
    ...RULE,
    id: 'seqcol.service-info.recommended-inherent',
    section: '§1 Schema',
    level: 'SHOULD',
    title: 'has names and sequences, and no others, as inherent attributes',
    run: async (subject) =>
      expectMember(subject, {
        path: 'seqcol.schema',
        expected: '{ "ga4gh": { "inherent": ["names", "sequences"] } }',
        isExpected: () => [...qualifiedAttributes(subject, 'inherent')].sort().join() === 'names,sequences',
      }),
  },
  {
    ...RULE,
    id: 'seqcol.service-info.required',
    section: '§1 Schema',
    level: 'SHOULD',
    title: 'requires names, lengths and sequences in the schema',
    run: async (subject) =>
      expectMember(subject, {
        path: 'seqcol.schema.required',
        expected: 'an array with "names", "lengths" and "sequences"',
        isExpected: (value) =>
          isTexts(value) &&
          Array.isArray(value) &&
          ['names', 'lengths', 'sequences'].every((name) => value.includes(name)),
      }),
  },
  {
    ...RULE,
    id: 'seqcol.service-info.all-attributes',
    scope: 'object',
    title: 'has every attribute of a collection in the schema',
    run: withLevels(({ schema }, { level1, answer1 }) => {
      const { properties } = schema;
      const known = isJsonObject(properties) ? properties : {};
      const missing = Object.keys(level1).filter((name) => !(name in known));
      if (missing.length === 0) return KEPT;
      return broken(answer1, { expected: 'attributes of the schema only', found: missing.join(', ') });
    }),
  },
  {
    ...RULE,
    id: 'seqcol.service-info.openapi',
    section: '§3.6 OpenAPI documentation',
    level: 'SHOULD',
    title: 'has a description of itself at /openapi.json',
    run: async (subject) => expectStatus(await askPath(subject, 'openapi.json'), 200),
  },
];
