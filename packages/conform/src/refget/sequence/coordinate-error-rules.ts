import type { Rule } from '../../engine/rule.js';
import { expectStatus } from '../expect-answer.js';
import { type KnownBases, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'Errors', level: 'MUST', scope: 'object' } as const;

/** Text that is not an unsigned 32-bit integer. */
interface Malformed {
  readonly name: string;
  readonly title: string;
  /** The text, percent-encoded. */
  readonly text: string;
  readonly readings?: readonly [string, string];
}

const MALFORMED: readonly Malformed[] = [
  { name: 'letters', title: 'letters', text: 'abc' },
  { name: 'negative', title: 'a negative number', text: '-1' },
  { name: 'fraction', title: 'a fraction', text: '1.5' },
  { name: 'exponent', title: 'a number with an exponent', text: '1e1' },
  { name: 'hexadecimal', title: 'a hexadecimal number', text: '0x1' },
  {
    name: 'empty',
    title: 'empty text',
    text: '',
    readings: ['empty text is not an integer', 'a parameter without a value is not given'],
  },
  {
    name: 'sign',
    title: 'a number with a plus sign',
    text: '%2B1',
    readings: ['an unsigned integer has no sign', 'a plus sign does not change a number'],
  },
  {
    name: 'space',
    title: 'a number after a space',
    text: '%201',
    readings: ['a space is not part of an integer', 'spaces around a number are ignored'],
  },
];

const MALFORMED_RULES = MALFORMED.flatMap(({ name, title, text, readings }): readonly Rule<RefgetSubject>[] =>
  (['start', 'end'] as const).map((parameter) => ({
    ...RULE,
    id: `refget.coordinates.${parameter}-${name}`,
    title: `answers 400 for ${title} as ${parameter}`,
    ...(readings && { readings }),
    run: async (subject) =>
      expectStatus(await askSequence(subject, parameter === 'start' ? `?start=${text}` : `?start=0&end=${text}`), 400),
  })),
);

/** A request with an invalid query, and what it is answered with. */
interface InvalidQuery {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  readonly query: (known: KnownBases) => string;
  readonly status: number;
  readonly range?: string;
  readonly readings?: readonly [string, string];
}

const QUERY = 'Method: get sequence by ID, Query parameters';
const HEADERS = 'Method: get sequence by ID, Request parameters';

const INVALID: readonly InvalidQuery[] = [
  {
    name: 'start-beyond-end',
    section: QUERY,
    title: 'answers 400 for a start that is larger than the length',
    query: ({ length }) => `?start=${length + 1}`,
    status: 400,
  },
  {
    name: 'part-beyond-end',
    section: QUERY,
    title: 'answers 400 for start and end that are larger than the length',
    query: ({ length }) => `?start=${length + 1}&end=${length + 2}`,
    status: 400,
  },
  {
    name: 'start-too-large',
    section: QUERY,
    title: 'answers 400 for a start that has more than 32 bits',
    query: () => '?start=4294967296',
    status: 400,
  },
  {
    name: 'end-too-large',
    section: QUERY,
    title: 'answers 400 for an end that has more than 32 bits',
    query: () => '?start=0&end=4294967296',
    status: 400,
    readings: ['the number is not an unsigned 32-bit integer: 400', 'it is larger than the length: 416'],
  },
  {
    name: 'start-at-end',
    section: QUERY,
    title: 'answers 416 for a start that equals the length',
    query: ({ length }) => `?start=${length}`,
    status: 416,
    readings: ['there is no base at start: 416', 'start is not larger than the length: 200 without bases'],
  },
  {
    name: 'equal-at-end',
    section: QUERY,
    title: 'answers 416 for start and end that equal the length',
    query: ({ length }) => `?start=${length}&end=${length}`,
    status: 416,
    readings: [
      'there is no base at start: 416, as the compliance suite expects',
      'start equals end: 200 without bases',
    ],
  },
  {
    name: 'end-beyond-end',
    section: QUERY,
    title: 'answers 416 for an end that is larger than the length',
    query: ({ length }) => `?start=0&end=${length + 1}`,
    status: 416,
    readings: ['the range is out of bounds: 416, as the compliance suite expects', 'the range is clipped: 200'],
  },
  {
    name: 'repeated',
    section: 'Errors',
    title: 'answers 400 for a parameter that is repeated',
    query: () => '?start=0&start=1',
    status: 400,
    readings: ['repeated parameters do not adhere to the specification: 400', 'one of the values is used'],
  },
  {
    name: 'start-with-range',
    section: HEADERS,
    title: 'answers 400 for start together with a Range header',
    query: () => '?start=1',
    range: 'bytes=0-1',
    status: 400,
  },
  {
    name: 'start-zero-with-range',
    section: HEADERS,
    title: 'answers 400 for start=0 together with a Range header',
    query: () => '?start=0',
    range: 'bytes=0-1',
    status: 400,
  },
  {
    name: 'end-with-range',
    section: HEADERS,
    title: 'answers 400 for end together with a Range header',
    query: () => '?end=2',
    range: 'bytes=0-1',
    status: 400,
  },
];

const INVALID_RULES = INVALID.map(
  ({ name, section, title, query, status, range, readings }): Rule<RefgetSubject> => ({
    id: `refget.coordinates.${name}`,
    section,
    level: 'MUST',
    scope: 'object',
    title,
    ...(readings && { readings }),
    run: withBases(async (subject, known) =>
      expectStatus(await askSequence(subject, query(known), range === undefined ? {} : { range }), status),
    ),
  }),
);

export const COORDINATE_ERROR_RULES: readonly Rule<RefgetSubject>[] = [...MALFORMED_RULES, ...INVALID_RULES];
