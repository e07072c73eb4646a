import { excerpt } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { expectHeader, expectLength, expectStatus, expectValue } from '../expect-answer.js';
import { computeDigests, findLongLength, isPlain, middlePart, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'Method: get sequence by ID, Response', level: 'MUST', scope: 'object' } as const;
const PLAIN = 'text/vnd.ga4gh.refget.v2.0.0+plain';
const WHOLE = { atLeast: 0, isWhole: true } as const;

/** Compares the digest in the id of the sequence with that of the bases. */
function expectDigestOfId(pattern: RegExp, name: 'md5' | 'sha512t24u' | 'trunc512'): Rule<RefgetSubject>['run'] {
  return withBases(async (subject, known) => {
    const digest = pattern.exec(subject.id)?.[1];
    if (digest === undefined) return inapplicable('the id is another digest, or a name');
    const expected = name === 'sha512t24u' ? digest : digest.toLowerCase();
    return expectValue(await askSequence(subject), 'bases with the digest', {
      expected,
      found: computeDigests(known)?.[name],
    });
  }, WHOLE);
}

export const WHOLE_RULES: readonly Rule<RefgetSubject>[] = [
  {
    ...RULE,
    id: 'refget.sequence.status',
    title: 'answers 200 for a sequence',
    run: async (subject) => {
      const length = await findLongLength(subject);
      if (length !== undefined) return inapplicable(`the sequence is too long to be fetched: ${length} bases`);
      return expectStatus(await askSequence(subject), 200);
    },
  },
  {
    ...RULE,
    id: 'refget.sequence.letters',
    title: 'sends a sequence as upper-case letters without line ends',
    run: withBases(async (subject, { bases }): Promise<Verdict> => {
      const at = bases.findIndex((byte) => byte < 0x41 || byte > 0x5a);
      if (at < 0) return KEPT;
      const found = `${JSON.stringify(excerpt(String.fromCharCode(...bases.subarray(at, at + 20))))} at base ${at}`;
      return broken(await askSequence(subject), { expected: 'only letters A to Z', found });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.sequence.md5',
    section: 'Checksum calculation',
    title: 'sends the bases whose MD5 is the id',
    run: expectDigestOfId(/^(?:md5:)?([0-9a-f]{32})$/i, 'md5'),
  },
  {
    ...RULE,
    id: 'refget.sequence.ga4gh',
    section: 'refget Checksum Algorithm',
    title: 'sends the bases whose SQ. digest is the id',
    run: expectDigestOfId(/^(?:ga4gh:)?(SQ\.[\w-]{32})$/, 'sha512t24u'),
  },
  {
    ...RULE,
    id: 'refget.sequence.trunc512',
    section: 'Checksum Identifier Identification',
    title: 'sends the bases whose TRUNC512 is the id',
    run: expectDigestOfId(/^(?:trunc512:)?([0-9a-f]{48})$/i, 'trunc512'),
  },
  {
    ...RULE,
    id: 'refget.sequence.content-type',
    section: 'Internet Media Types Handling',
    title: 'sends a sequence as text/plain or in the media type of the protocol',
    run: withBases(async (subject) => {
      const answer = await askSequence(subject);
      return expectHeader(answer, 'Content-Type', { expected: PLAIN, isExpected: () => isPlain(answer) });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.sequence.full-content-type',
    section: 'Internet Media Types Handling',
    title: 'sends a sequence in the fully specified media type',
    readings: [
      `a server must use the fully specified media type: ${PLAIN}`,
      'text/plain is enough, as the changes of 1.0.1 say',
    ],
    run: withBases(async (subject) => {
      const answer = await askSequence(subject);
      const isExpected = (): boolean => /^text\/vnd\.(?:ga4gh|std)\.refget\.v2\.0\.0\+plain$/.test(answer.mediaType);
      return expectHeader(answer, 'Content-Type', { expected: PLAIN, isExpected });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.sequence.charset',
    section: 'Protocol essentials',
    title: 'sends a sequence in the character set US-ASCII, if it names one',
    level: 'SHOULD',
    run: withBases(async (subject) => {
      const isExpected = (value: string | undefined): boolean => !/charset="?(?!us-ascii\b)/.test(value ?? '');
      return expectHeader(await askSequence(subject), 'Content-Type', { expected: 'charset=us-ascii', isExpected });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.sequence.content-coding',
    section: 'Protocol essentials',
    title: 'does not compress a sequence by a content coding',
    run: withBases(async (subject, known) => {
      // Servers compress bodies of a thousand bytes, but not of a few.
      const { start, end } = middlePart(known);
      const answer = await askSequence(subject, `?start=${start}&end=${end}`, { 'accept-encoding': 'gzip, br' });
      const isExpected = (value: string | undefined): boolean => value === undefined || value === 'identity';
      return expectHeader(answer, 'Content-Encoding', { expected: 'none', isExpected });
    }),
  },
  {
    ...RULE,
    id: 'refget.sequence.content-length',
    section: 'RFC 9110 §8.6',
    level: 'SHOULD',
    title: 'sends the Content-Length of a sequence',
    run: withBases(async (subject) => expectLength(await askSequence(subject)), WHOLE),
  },
];
