import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { expectError } from '../errors/expect-error.js';
import { headerWithoutPrograms } from '../file/decode-file.js';
import { readAnswer, readKnownFile } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject, postTicket, ticketRequest } from '../htsget-subject.js';
import { compareRecords, describeRecords } from '../regions/compare-records.js';
import { ofRegions, regionsOf } from '../regions/compared-answer.js';
import { toParameters } from '../regions/region.js';
import { answersPost, NO_POST } from './answers-post.js';

function postRule(
  rule: Omit<Rule<HtsgetSubject>, 'id' | 'scope'> & { readonly name: string; readonly scope?: 'object' | 'format' },
): Rule<HtsgetSubject> {
  const { name, scope = 'format', run, ...stated } = rule;
  const id = `htsget.post.${name}`;
  return {
    ...stated,
    id,
    scope,
    run: async (subject) => ((await answersPost(subject)) ? run(subject) : inapplicable(NO_POST)),
  };
}

/** Bytes of the body with which the limit of a service is looked for. */
const LONG_BODY = 4 * 1024 * 1024;

export const POST_RULES: readonly Rule<HtsgetSubject>[] = [
  postRule({
    name: 'union',
    section: 'POST rules 4',
    level: 'MUST',
    title: 'answers several regions with the records that GET answers for each',
    run: (subject) => expectUnion(subject),
  }),
  postRule({
    name: 'eof-once',
    section: 'POST rules 4',
    level: 'SHOULD',
    title: 'has no EOF marker between regions, where readers may stop',
    async run(subject) {
      const regions = (await regionsOf(subject)).small;
      const ticket = await postTicket(subject, { regions });
      const { hasEof, earlyEofCount } = (await readAnswer(subject, ticket)).decoded;
      if (hasEof === undefined) return inapplicable('the file has no EOF marker');
      // A stored file may have empty blocks anywhere (SAMv1 §4.1.2).
      const stored = (await readKnownFile(subject)).earlyEofCount;
      if (earlyEofCount <= stored) return KEPT;
      return broken(ticket, { expected: 'one EOF marker', found: `${earlyEofCount - stored} more before the end` });
    },
  }),
  postRule({
    name: 'header',
    section: 'POST request body, class',
    level: 'MUST',
    title: 'answers the class header with the header that GET answers',
    async run(subject) {
      const ticket = await postTicket(subject, { class: 'header' });
      const { decoded } = await readAnswer(subject, ticket);
      const byGet = await readAnswer(subject, await askTicket(subject, { class: 'header' }));
      const isSame =
        headerWithoutPrograms(decoded) === headerWithoutPrograms(byGet.decoded) && decoded.records.length === 0;
      return isSame ? KEPT : broken(ticket, { expected: 'the header alone', found: 'another header, or records' });
    },
  }),
  postRule({
    name: 'too-large',
    section: 'POST rules 5',
    level: 'SHOULD',
    scope: 'object',
    title: 'answers 413 PayloadTooLarge for a body that is too large',
    async run(subject) {
      const body = `{"format":"${subject.format}","class":"header"${' '.repeat(LONG_BODY)}}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await subject.probe.ask({ ...ticketRequest(subject, {}, headers), method: 'POST', body });
      if (answer.status === 200) return inapplicable(`the service accepts ${LONG_BODY} bytes`);
      return expectError(answer, 'PayloadTooLarge');
    },
  }),
];

/** Compares the answer to a list of regions with the answers to each region, without the whole file. */
async function expectUnion(subject: HtsgetSubject): Promise<Verdict> {
  const regions = (await regionsOf(subject)).small;
  const ticket = await postTicket(subject, { regions });
  const { decoded } = await readAnswer(subject, ticket);
  const { has } = ofRegions(regions);
  for (const region of regions) {
    const byGet = await readAnswer(subject, await askTicket(subject, toParameters(region)));
    const isWithin = ofRegions([region]).has;
    const records = byGet.decoded.records.filter(isWithin);
    const { missing } = compareRecords(decoded, { records }, isWithin);
    if (missing.length === 0) continue;
    const expected = 'the records that GET answers for each region';
    return broken(ticket, { expected, found: `without ${describeRecords(missing)}` });
  }
  return decoded.records.some(has) ? KEPT : inapplicable('the regions have no records');
}
