import type { Answer } from '../../engine/answer.js';
import { inapplicable, RuleEnd, type Scope } from '../../engine/rule.js';
import { askTicket, type HtsgetSubject, postTicket, ticketRequest } from '../htsget-subject.js';
import { findReference, UNKNOWN_ID, UNKNOWN_REFERENCE } from '../references.js';
import type { ErrorName } from './expect-error.js';

/** A request that a service refuses. */
export interface ErrorCondition {
  /** The last part of the ids of its rules. */
  readonly name: string;
  readonly section: string;
  /** What is wrong with the request: `an unknown id`. */
  readonly what: string;
  readonly scope: Scope;
  /** The errors that the specification allows for it. */
  readonly errors: readonly ErrorName[];
  /** Whether any answer but an error breaks a MUST. Otherwise the specification says that the service SHOULD refuse. */
  readonly isMust: boolean;
  readonly ask: (subject: HtsgetSubject) => Promise<Answer>;
}

function onlyReads({ datatype }: HtsgetSubject): void {
  if (datatype !== 'reads') throw new RuleEnd(inapplicable('the parameter applies to reads only'));
}

const PARAMETERS = 'GET query parameters';
const POST_RULES = 'POST rules';

const IDS_AND_FORMATS: readonly ErrorCondition[] = [
  {
    name: 'unknown-id',
    section: 'Errors',
    what: 'an unknown id',
    scope: 'service',
    errors: ['NotFound'],
    isMust: true,
    ask: ({ endpoint, probe }) => probe.ask(ticketRequest({ endpoint, id: UNKNOWN_ID })),
  },
  {
    name: 'unknown-format',
    section: `${PARAMETERS}, format`,
    what: 'an unknown format',
    scope: 'object',
    errors: ['UnsupportedFormat'],
    isMust: true,
    ask: (subject) => askTicket(subject, { format: 'FASTQ' }),
  },
  {
    name: 'other-format',
    section: `${PARAMETERS}, format`,
    what: 'a format of the other datatype',
    scope: 'object',
    errors: ['UnsupportedFormat'],
    isMust: true,
    ask: (subject) => askTicket(subject, { format: subject.datatype === 'reads' ? 'VCF' : 'BAM' }),
  },
  {
    name: 'class',
    section: `${PARAMETERS}, class`,
    what: 'a class other than header',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: true,
    ask: (subject) => askTicket(subject, { class: 'body' }),
  },
  {
    name: 'class-with-others',
    section: `${PARAMETERS}, class`,
    what: 'class=header beside a region',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    ask: async (subject) =>
      askTicket(subject, { class: 'header', referenceName: await findReference(subject), start: '1', end: '2' }),
  },
];

const REGIONS: readonly ErrorCondition[] = [
  {
    name: 'unknown-reference',
    section: `${PARAMETERS}, referenceName`,
    what: 'an unknown reference',
    scope: 'object',
    errors: ['NotFound'],
    isMust: false,
    ask: (subject) => askTicket(subject, { referenceName: UNKNOWN_REFERENCE }),
  },
  {
    name: 'start-without-reference',
    section: `${PARAMETERS}, start`,
    what: 'start without referenceName',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    ask: (subject) => askTicket(subject, { start: '1' }),
  },
  {
    name: 'end-without-reference',
    section: `${PARAMETERS}, end`,
    what: 'end without referenceName',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    ask: (subject) => askTicket(subject, { end: '1000' }),
  },
  {
    name: 'start-of-unplaced',
    section: `${PARAMETERS}, start`,
    what: 'start beside referenceName=*',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    async ask(subject) {
      onlyReads(subject);
      return askTicket(subject, { referenceName: '*', start: '1' });
    },
  },
  {
    name: 'start-after-end',
    section: `${PARAMETERS}, start`,
    what: 'a start after the end',
    scope: 'object',
    errors: ['InvalidRange'],
    isMust: false,
    ask: async (subject) => askTicket(subject, { referenceName: await findReference(subject), start: '20', end: '10' }),
  },
  {
    name: 'negative-start',
    section: 'Limits',
    what: 'a negative start',
    scope: 'object',
    errors: ['InvalidInput', 'InvalidRange'],
    isMust: true,
    ask: async (subject) => askTicket(subject, { referenceName: await findReference(subject), start: '-1', end: '10' }),
  },
  {
    name: 'text-start',
    section: 'Limits',
    what: 'a start that is not a number',
    scope: 'object',
    errors: ['InvalidInput', 'InvalidRange'],
    isMust: true,
    ask: async (subject) => askTicket(subject, { referenceName: await findReference(subject), start: 'one' }),
  },
  {
    name: 'fractional-end',
    section: 'Limits',
    what: 'an end that is not an integer',
    scope: 'object',
    errors: ['InvalidInput', 'InvalidRange'],
    isMust: true,
    ask: async (subject) => askTicket(subject, { referenceName: await findReference(subject), start: '1', end: '9.5' }),
  },
];

const FIELDS: readonly ErrorCondition[] = [
  {
    name: 'unknown-field',
    section: 'Field names for reads filtering',
    what: 'a field name that the protocol does not have',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    async ask(subject) {
      onlyReads(subject);
      return askTicket(subject, { fields: 'QNAME,COLOUR' });
    },
  },
  {
    name: 'tags-and-notags',
    section: `${PARAMETERS}, notags`,
    what: 'a tag in both tags and notags',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    ask: (subject) => askTicket(subject, { tags: 'NM,RG', notags: 'RG' }),
  },
];

/** Requests by GET that a service refuses. */
export const GET_CONDITIONS: readonly ErrorCondition[] = [...IDS_AND_FORMATS, ...REGIONS, ...FIELDS];

/** Requests by POST that a service refuses, if it answers POST at all. */
export const POST_CONDITIONS: readonly ErrorCondition[] = [
  {
    name: 'post-query',
    section: `${POST_RULES} 2`,
    what: 'a query parameter beside a body',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    ask: (subject) => postText(subject, '{}', { format: subject.format }),
  },
  {
    name: 'post-malformed',
    section: 'POST request body',
    what: 'a body that is not JSON',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: true,
    ask: (subject) => postText(subject, '{"format":'),
  },
  {
    name: 'post-no-regions',
    section: 'Limits',
    what: 'an empty list of regions',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    ask: (subject) => postTicket(subject, { regions: [] }),
  },
  {
    name: 'post-no-reference',
    section: 'Region',
    what: 'a region without referenceName',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: false,
    ask: (subject) => postTicket(subject, { regions: [{ start: 1, end: 10 }] }),
  },
  {
    name: 'post-unknown-reference',
    section: 'Region',
    what: 'a region of an unknown reference',
    scope: 'object',
    errors: ['NotFound'],
    isMust: false,
    ask: (subject) => postTicket(subject, { regions: [{ referenceName: UNKNOWN_REFERENCE }] }),
  },
  {
    name: 'post-empty-region',
    section: 'Region',
    what: 'a region whose start is its end',
    scope: 'object',
    errors: ['InvalidRange'],
    isMust: false,
    ask: async (subject) =>
      postTicket(subject, { regions: [{ referenceName: await findReference(subject), start: 5, end: 5 }] }),
  },
  {
    name: 'post-negative-start',
    section: 'Region',
    what: 'a region with a negative start',
    scope: 'object',
    errors: ['InvalidInput', 'InvalidRange'],
    isMust: true,
    ask: async (subject) =>
      postTicket(subject, { regions: [{ referenceName: await findReference(subject), start: -1, end: 5 }] }),
  },
  {
    name: 'post-class',
    section: 'POST request body, class',
    what: 'a class other than header in a body',
    scope: 'object',
    errors: ['InvalidInput'],
    isMust: true,
    ask: (subject) => postTicket(subject, { class: 'body' }),
  },
];

function postText(
  subject: HtsgetSubject,
  body: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return subject.probe.ask({ ...ticketRequest(subject, parameters, headers), method: 'POST', body });
}
