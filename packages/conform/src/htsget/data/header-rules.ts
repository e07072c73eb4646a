import { concatBytes } from '@htskit/io';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { decodeFile, headerWithoutPrograms } from '../file/decode-file.js';
import { type FetchedFile, fetchFile } from '../file/ticket.js';
import { endOf, readAnswer } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { compareRecords, describeRecords } from '../regions/compare-records.js';

const CLASS = 'GET query parameters, class';
const CONCATENATION = 'Result rules 4';

/** Rules about headers: those of `class=header`, and blocks of the class header. */
export const HEADER_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    id: 'htsget.data.header-decodes',
    section: CLASS,
    level: 'MUST',
    scope: 'format',
    title: 'answers class=header with the header',
    run: async (subject) => expectHeader(subject),
  },
  {
    id: 'htsget.data.header-only',
    section: CLASS,
    level: 'MUST',
    scope: 'format',
    title: 'answers class=header without records',
    async run(subject) {
      const ticket = await askTicket(subject, { class: 'header' });
      const { decoded } = await readAnswer(subject, ticket);
      const { length } = decoded.records;
      return length === 0 ? KEPT : broken(ticket, { expected: 'no records', found: describeRecords(decoded.records) });
    },
  },
  {
    id: 'htsget.data.header-blocks',
    section: 'Data block',
    level: 'MUST',
    scope: 'format',
    title: 'has the whole header, and no record, in blocks of the class header',
    run: async (subject) => expectClassBlocks(subject),
  },
  {
    id: 'htsget.data.reused-header',
    section: CONCATENATION,
    level: 'MUST',
    scope: 'format',
    title: 'has body blocks that follow the header of another ticket',
    run: async (subject) => expectReusedHeader(subject),
  },
];

async function expectHeader(subject: HtsgetSubject): Promise<Verdict> {
  const ticket = await askTicket(subject, { class: 'header' });
  const header = headerWithoutPrograms((await readAnswer(subject, ticket)).decoded);
  const whole = headerWithoutPrograms((await readAnswer(subject, await askTicket(subject))).decoded);
  if (header === whole) return KEPT;
  return broken(ticket, { expected: 'the header of the whole file', found: describeDifference(whole, header) });
}

function describeDifference(expected: string, found: string): string {
  const lines = found.split('\n');
  const index = expected.split('\n').findIndex((line, at) => line !== lines[at]);
  return `another line ${index + 1}: ${JSON.stringify(lines[index] ?? 'none')}`;
}

/** Decodes the header blocks of the whole file's ticket as a file of their own. */
async function expectClassBlocks(subject: HtsgetSubject): Promise<Verdict> {
  const file = await fetchFile(subject, await askTicket(subject));
  const header = file.blocks.filter(({ class: name }) => name === 'header').map(({ bytes }) => bytes);
  if (header.length === 0) return inapplicable('the blocks have no class');
  const whole = (await readAnswer(subject, file.ticket)).decoded;
  const part = await decodeBlocks(subject, file, header);
  if (part.records.length > 0) {
    return broken(file.ticket, { expected: 'no record in header blocks', found: describeRecords(part.records) });
  }
  const [expected, found] = [headerWithoutPrograms(whole), headerWithoutPrograms(part)];
  if (expected === found) return KEPT;
  return broken(file.ticket, {
    expected: 'the whole header',
    found: describeDifference(expected, found),
  });
}

/** Decodes the header blocks of `class=header` followed by the body blocks of the whole file (htsget 1.3.1, "Result rules" 4). */
async function expectReusedHeader(subject: HtsgetSubject): Promise<Verdict> {
  const file = await fetchFile(subject, await askTicket(subject));
  const body = file.blocks.filter(({ class: name }) => name === 'body').map(({ bytes }) => bytes);
  if (body.length === 0) return inapplicable('the blocks have no class');
  const headerFile = await fetchFile(subject, await askTicket(subject, { class: 'header' }));
  const classes = new Set(headerFile.blocks.map(({ class: name }) => name));
  if (!classes.has('header')) return inapplicable('the blocks of class=header have no class');
  const header = headerFile.blocks.filter(({ class: name }) => name === 'header').map(({ bytes }) => bytes);
  const joined = await decodeBlocks(subject, file, [...header, ...body]);
  const whole = (await readAnswer(subject, file.ticket)).decoded;
  const { missing, foreign, repeated } = compareRecords(joined, whole, () => true);
  const different = [...missing, ...foreign, ...repeated];
  if (different.length === 0) return KEPT;
  return broken(file.ticket, { expected: 'the same records', found: `a difference in ${describeRecords(different)}` });
}

async function decodeBlocks(
  subject: HtsgetSubject,
  { ticket }: FetchedFile,
  blocks: readonly Uint8Array[],
): ReturnType<typeof decodeFile> {
  try {
    return await decodeFile(subject.format, concatBytes(blocks));
  } catch (error) {
    throw endOf(error, subject, ticket);
  }
}
