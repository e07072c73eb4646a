import { Crypt4ghError, decryptStream, generateKeyPair } from '@htskit/crypt4gh';
import { AlignmentRecord } from '@htskit/formats';
import { concatBytes, toBase64 } from '@htskit/io';
import { type Answer, describeAnswer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { decodeFile } from '../file/decode-file.js';
import { fetchFile } from '../file/ticket.js';
import { endOf, readAnswer, readWholeFile } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject, type TicketParameters, ticketRequest } from '../htsget-subject.js';
import { compareRecords, describeRecords } from '../regions/compare-records.js';
import { compareAnswer, expectRecords, ofRegions, regionsOf } from '../regions/compared-answer.js';

/** Rules about what no version of the protocol has: they run only if the service-info announces it, and never fail. */
function rule(name: string, section: string, title: string, run: Rule<HtsgetSubject>['run']): Rule<HtsgetSubject> {
  return { id: `htsget.extensions.${name}`, section, level: 'SHOULD', scope: 'format', title, run };
}

/** Returns whether the service announces that a format is reduced by extensions. */
function isFiltered({ capabilities, format }: HtsgetSubject, effective: string): boolean {
  const { filteredFormats } = capabilities;
  return capabilities[effective] === true && (!Array.isArray(filteredFormats) || filteredFormats.includes(format));
}

/** Creates a rule about a parameter that keeps some reads: those that meet a condition, all of them. */
function filterRule(
  name: string,
  parameters: TicketParameters,
  isKept: (read: AlignmentRecord) => boolean,
): Rule<HtsgetSubject> {
  const [[parameter, value] = ['', '']] = Object.entries(parameters);
  return rule(
    name,
    'readFiltersEffective',
    `answers ${parameter}=${value} with the reads that meet it, and no others`,
    async (subject) => {
      if (subject.datatype !== 'reads' || !isFiltered(subject, 'readFiltersEffective'))
        return inapplicable(UNANNOUNCED);
      const has = ({ bytes }: { readonly bytes: Uint8Array }): boolean => isKept(new AlignmentRecord(bytes));
      const selection = { description: `that meet ${parameter}=${value}`, has };
      const answer = await compareAnswer(subject, await askTicket(subject, parameters), selection);
      const { extraCount } = answer.differences;
      if (extraCount === 0) return expectRecords(answer);
      return broken(answer.ticket, { expected: 'no other reads', found: `${extraCount} other reads` });
    },
  );
}

const UNANNOUNCED = 'the service does not announce the extension';

const FLAG_REVERSE = 0x10;
const FLAG_UNMAPPED = 0x4;
const QUALITY = 30;

const FILTER_RULES: readonly Rule<HtsgetSubject>[] = [
  filterRule('require-flags', { requireFlags: `${FLAG_REVERSE}` }, ({ flags }) => (flags & FLAG_REVERSE) !== 0),
  filterRule('exclude-flags', { excludeFlags: `${FLAG_UNMAPPED}` }, ({ flags }) => (flags & FLAG_UNMAPPED) === 0),
  filterRule('mapping-quality', { minMappingQuality: `${QUALITY}` }, ({ mappingQuality }) => mappingQuality >= QUALITY),
];

const SAMPLES_RULE = rule(
  'samples',
  'hts-specs 430',
  'answers samples=NAME with the column of that sample',
  async (subject) => {
    if (subject.datatype !== 'variants' || !isFiltered(subject, 'samplesParameterEffective'))
      return inapplicable(UNANNOUNCED);
    const whole = await readWholeFile(subject);
    const names = samplesOf(whole.headerText);
    const [name] = names;
    if (name === undefined || names.length < 2) return inapplicable('the file has fewer than two samples');
    const ticket = await askTicket(subject, { samples: name });
    const { decoded } = await readAnswer(subject, ticket);
    const found = samplesOf(decoded.headerText);
    const isRight = found.join() === name && decoded.records.length === whole.records.length;
    const describe = (list: readonly string[], count: number): string => `${count} records of ${list.join(', ')}`;
    return isRight
      ? KEPT
      : broken(ticket, {
          expected: describe([name], whole.records.length),
          found: describe(found, decoded.records.length),
        });
  },
);

/** Columns of a VCF line before the samples. */
const FIXED_COLUMNS = 9;

function samplesOf(headerText: string): readonly string[] {
  const line = headerText.split('\n').find((text) => text.startsWith('#CHROM')) ?? '';
  return line.trimEnd().split('\t').slice(FIXED_COLUMNS);
}

const ENCRYPTION_RULE = rule(
  'crypt4gh',
  'hts-specs 808',
  'encrypts an answer for the key of the client',
  async (subject) => {
    const { encryptionSchemes } = subject.capabilities;
    if (!Array.isArray(encryptionSchemes) || !encryptionSchemes.includes('crypt4gh')) return inapplicable(UNANNOUNCED);
    const { publicKey, secretKey } = generateKeyPair();
    const headers = { 'htsget-context-public-key': toBase64(publicKey) };
    const ticket = await askTicket(subject, { encryptionScheme: 'crypt4gh' }, headers);
    const { bytes } = await fetchFile(subject, ticket);
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of decryptStream(oneChunk(bytes), { keys: [secretKey] })) chunks.push(chunk.slice());
    } catch (error) {
      if (!(error instanceof Crypt4ghError)) throw error;
      return broken(ticket, { expected: 'a Crypt4GH file for the key of the request', found: error.message });
    } finally {
      secretKey.clear();
    }
    return expectSame(subject, ticket, concatBytes(chunks));
  },
);

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Checks that a decrypted file has the records of the plain one. */
async function expectSame(subject: HtsgetSubject, ticket: Answer, bytes: Uint8Array): Promise<Verdict> {
  const whole = await readWholeFile(subject);
  try {
    const { missing, foreign, repeated } = compareRecords(await decodeFile(subject.format, bytes), whole, () => true);
    const different = [...missing, ...foreign, ...repeated];
    if (different.length === 0) return KEPT;
    return broken(ticket, {
      expected: 'the records of the plain file',
      found: `a difference in ${describeRecords(different)}`,
    });
  } catch (error) {
    throw endOf(error, subject, ticket);
  }
}

const QUERY_RULE = rule('query', 'hts-specs 866', 'answers QUERY as POST', async (subject) => {
  const regions = (await regionsOf(subject)).small;
  const request = {
    ...ticketRequest(subject, {}, { 'content-type': 'application/json' }),
    method: 'QUERY',
    body: JSON.stringify({ format: subject.format, regions }),
  } as const;
  const answer = await subject.probe.ask(request);
  if ([400, 404, 405, 501].includes(answer.status)) return inapplicable('the service does not answer QUERY');
  if (answer.status === 200) return expectRecords(await compareAnswer(subject, answer, ofRegions(regions)));
  return broken(answer, { expected: 'a ticket, or 405', found: describeAnswer(answer) });
});

export const EXTENSION_RULES: readonly Rule<HtsgetSubject>[] = [
  ...FILTER_RULES,
  SAMPLES_RULE,
  ENCRYPTION_RULE,
  QUERY_RULE,
];
