import { type AlignmentJson, AlignmentRecord } from '@htskit/formats';
import type { Answer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, RuleEnd, type Verdict } from '../../engine/rule.js';
import type { DecodedFile } from '../file/decode-file.js';
import { readAnswer, readWholeFile } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject, type TicketParameters } from '../htsget-subject.js';

const FIELDS = 'GET query parameters, fields';
const TAGS = 'GET query parameters, tags';
const NOTAGS = 'GET query parameters, notags';
const INFO = 'Service-info document';

/** The reads of an answer with fewer fields or tags, beside those of the whole file. */
interface ReducedAnswer {
  readonly ticket: Answer;
  readonly reads: readonly AlignmentJson[];
  readonly wholeReads: readonly AlignmentJson[];
}

function toReads({ records }: DecodedFile): readonly AlignmentJson[] {
  return records.map(({ bytes }) => new AlignmentRecord(bytes).toJSON());
}

/** Asks for the whole file with fewer fields or tags. Ends the rule if the number of records differs. */
async function readReduced(subject: HtsgetSubject, parameters: TicketParameters): Promise<ReducedAnswer> {
  if (subject.datatype !== 'reads') throw new RuleEnd(inapplicable('the rule is about reads'));
  const wholeReads = toReads(await readWholeFile(subject));
  const ticket = await askTicket(subject, parameters);
  const reads = toReads((await readAnswer(subject, ticket)).decoded);
  if (reads.length !== wholeReads.length) {
    throw new RuleEnd(broken(ticket, { expected: `${wholeReads.length} records`, found: `${reads.length} records` }));
  }
  return { ticket, reads, wholeReads };
}

/** Checks that each read meets a condition. */
function expectEach(
  { ticket, reads, wholeReads }: ReducedAnswer,
  expected: string,
  isRight: (read: AlignmentJson, whole: AlignmentJson) => boolean,
): Verdict {
  const wrong = reads.findIndex((read, index) => !isRight(read, wholeReads[index] ?? read));
  return wrong < 0 ? KEPT : broken(ticket, { expected, found: `record ${wrong + 1} is different` });
}

/** Returns the name of a tag that reads of the file have beside others. Ends the rule if there is none. */
async function findTag(subject: HtsgetSubject): Promise<string> {
  if (subject.datatype !== 'reads') throw new RuleEnd(inapplicable('the rule is about reads'));
  const read = toReads(await readWholeFile(subject)).find(({ tags }) => Object.keys(tags).length > 1);
  const [tag] = Object.keys(read?.tags ?? {});
  if (tag === undefined) throw new RuleEnd(inapplicable('no read has two tags'));
  return tag;
}

/** Ends the rule unless the service claims to reduce reads, and the format is BAM, from which any part can be left out. */
function onlyIfEffective({ capabilities, format }: HtsgetSubject, name: string): void {
  if (capabilities[name] !== true) throw new RuleEnd(inapplicable(`the service does not claim ${name}`));
  if (format !== 'BAM') throw new RuleEnd(inapplicable('the rule is about BAM'));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function rule(name: string, section: string, title: string, run: Rule<HtsgetSubject>['run']): Rule<HtsgetSubject> {
  return { id: `htsget.fields.${name}`, section, level: 'MUST', scope: 'format', title, run };
}

const KEPT_RULES: readonly Rule<HtsgetSubject>[] = [
  rule('kept', FIELDS, 'keeps the requested fields of all reads', async (subject) => {
    const answer = await readReduced(subject, { fields: 'QNAME,FLAG,RNAME,POS,CIGAR' });
    return expectEach(answer, 'QNAME, FLAG, RNAME, POS and CIGAR of the file', (read, whole) =>
      (['name', 'flags', 'referenceId', 'start', 'cigarText'] as const).every((field) => read[field] === whole[field]),
    );
  }),
  rule('quality-needs-bases', 'Result rules 1', 'keeps SEQ if QUAL is requested', async (subject) => {
    const answer = await readReduced(subject, { fields: 'QUAL' });
    return expectEach(
      answer,
      'SEQ and QUAL of the file',
      (read, whole) => read.sequence === whole.sequence && isSame(read.qualities, whole.qualities),
    );
  }),
  rule('tags-kept', TAGS, 'keeps the requested tags of all reads', async (subject) => {
    const tag = await findTag(subject);
    const answer = await readReduced(subject, { tags: tag });
    return expectEach(answer, `the tag ${tag} of the file`, (read, whole) => isSame(read.tags[tag], whole.tags[tag]));
  }),
  rule('notags-kept', NOTAGS, 'keeps the tags that are not excluded', async (subject) => {
    const tag = await findTag(subject);
    const answer = await readReduced(subject, { notags: tag });
    return expectEach(answer, `all tags of the file except ${tag}`, (read, whole) =>
      Object.entries(whole.tags).every(([name, value]) => name === tag || isSame(read.tags[name], value)),
    );
  }),
];

const EFFECTIVE_RULES: readonly Rule<HtsgetSubject>[] = [
  rule('effective', INFO, 'leaves out other fields, if it claims fieldsParameterEffective', async (subject) => {
    onlyIfEffective(subject, 'fieldsParameterEffective');
    const answer = await readReduced(subject, { fields: 'QNAME,FLAG,RNAME,POS' });
    return expectEach(answer, 'reads without SEQ', ({ sequence }) => sequence === '' || sequence === '*');
  }),
  rule('tags-effective', INFO, 'leaves out other tags, if it claims tagsParametersEffective', async (subject) => {
    onlyIfEffective(subject, 'tagsParametersEffective');
    const tag = await findTag(subject);
    const answer = await readReduced(subject, { tags: tag });
    return expectEach(answer, `no tag but ${tag}`, ({ tags }) => Object.keys(tags).every((name) => name === tag));
  }),
  rule('no-tags', INFO, 'leaves out all tags for tags=, if it claims tagsParametersEffective', async (subject) => {
    onlyIfEffective(subject, 'tagsParametersEffective');
    const answer = await readReduced(subject, { tags: '' });
    return expectEach(answer, 'reads without tags', ({ tags }) => Object.keys(tags).length === 0);
  }),
  rule('notags-effective', INFO, 'leaves out excluded tags, if it claims tagsParametersEffective', async (subject) => {
    onlyIfEffective(subject, 'tagsParametersEffective');
    const tag = await findTag(subject);
    const answer = await readReduced(subject, { notags: tag });
    return expectEach(answer, `reads without the tag ${tag}`, ({ tags }) => !(tag in tags));
  }),
];

export const FIELD_RULES: readonly Rule<HtsgetSubject>[] = [...KEPT_RULES, ...EFFECTIVE_RULES];
