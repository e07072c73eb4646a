import { excerpt } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, keptWith, type Rule } from '../../engine/rule.js';
import { countRepeatedHeaders, decodeFile } from '../file/decode-file.js';
import { inflateFile, isBgzf } from '../file/inflate-file.js';
import { type FetchedFile, fetchFile } from '../file/ticket.js';
import { endOf, readAnswer } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { compareRecords, describeRecords } from '../regions/compare-records.js';

const CLASS = 'GET query parameters, class';
const CONCATENATION = 'Result rules 4';

/** Fetches the whole file without decoding it. */
async function fetchWhole(subject: HtsgetSubject): Promise<FetchedFile> {
  return fetchFile(subject, await askTicket(subject));
}

/** Inflates a file. Ends the rule if that is impossible. */
async function inflated(subject: HtsgetSubject, { ticket, bytes }: FetchedFile): ReturnType<typeof inflateFile> {
  try {
    return await inflateFile(subject.format, bytes);
  } catch (error) {
    throw endOf(error, subject, ticket);
  }
}

/** Rules about the answer to a request without a region. */
export const WHOLE_FILE_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    id: 'htsget.data.decodes',
    section: CONCATENATION,
    level: 'MUST',
    scope: 'format',
    title: 'has blocks that are a file of the format in a row',
    async run(subject) {
      const { decoded, bytes } = await readAnswer(subject, await askTicket(subject));
      return keptWith(`${decoded.records.length} records in ${bytes.length} bytes`);
    },
  },
  {
    id: 'htsget.data.eof',
    section: CLASS,
    level: 'MUST',
    scope: 'format',
    title: 'ends a file with the EOF marker',
    async run(subject) {
      const file = await fetchWhole(subject);
      const { hasEof } = await inflated(subject, file);
      if (hasEof === undefined) return inapplicable('the file has no EOF marker');
      return hasEof ? KEPT : broken(file.ticket, { expected: 'the EOF marker at the end', found: 'another end' });
    },
  },
  {
    id: 'htsget.data.header-once',
    section: CONCATENATION,
    level: 'MUST',
    scope: 'format',
    title: 'has the header of a file once',
    async run(subject) {
      const file = await fetchWhole(subject);
      const { data } = await inflated(subject, file);
      const count = countRepeatedHeaders(subject.format, data);
      return count === 0 ? KEPT : broken(file.ticket, { expected: 'one header', found: `${count + 1} headers` });
    },
  },
  {
    id: 'htsget.data.compressed-vcf',
    section: 'GET query parameters, format',
    level: 'SHOULD',
    scope: 'format',
    title: 'sends VCF compressed by gzip or BGZF',
    async run(subject) {
      if (subject.format !== 'VCF') return inapplicable('the rule is about VCF');
      const { ticket, bytes } = await fetchWhole(subject);
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) return keptWith(isBgzf(bytes) ? 'BGZF' : 'gzip');
      return broken(ticket, { expected: 'gzip or BGZF', found: 'other bytes at the beginning' });
    },
  },
  {
    id: 'htsget.data.plain-vcftext',
    section: 'GET query parameters, format',
    level: 'MUST',
    scope: 'format',
    title: 'sends VCFTEXT uncompressed',
    async run(subject) {
      if (subject.format !== 'VCFTEXT') return inapplicable('the rule is about VCFTEXT');
      const { ticket, bytes } = await fetchWhole(subject);
      const start = new TextDecoder().decode(bytes.subarray(0, 13));
      return start === '##fileformat='
        ? KEPT
        : broken(ticket, { expected: '##fileformat=', found: JSON.stringify(start) });
    },
  },
  {
    id: 'htsget.data.truth',
    section: 'GET query parameters, referenceName',
    level: 'MUST',
    scope: 'format',
    title: 'has the records of the file that the operator has',
    async run(subject) {
      const { truth, format } = subject;
      if (truth === undefined) return inapplicable('the run has no file to compare with');
      const ticket = await askTicket(subject);
      const { decoded } = await readAnswer(subject, ticket);
      const { missing, foreign, repeated } = compareRecords(decoded, await decodeFile(format, truth), () => true);
      const different = [...missing, ...foreign, ...repeated];
      if (different.length === 0) return keptWith(`${decoded.records.length} records`);
      return broken(ticket, { expected: 'the same records', found: `a difference in ${describeRecords(different)}` });
    },
  },
  {
    id: 'htsget.data.judge',
    section: CONCATENATION,
    level: 'MUST',
    scope: 'format',
    title: 'has blocks that samtools or bcftools reads',
    async run(subject) {
      if (subject.judge === undefined) return inapplicable('samtools and bcftools are not installed');
      // A program that needs reference bases would look for them elsewhere.
      const { ticket, bytes } = await readAnswer(subject, await askTicket(subject));
      const found = await subject.judge(subject.format, bytes);
      return found === undefined
        ? KEPT
        : broken(ticket, { expected: 'a file that htslib reads', found: excerpt(found) });
    },
  },
];
