import type { Answer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { expectBases, expectHeader, expectStatus } from '../expect-answer.js';
import { type KnownBases, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const RULE = { level: 'SHOULD', scope: 'object' } as const;

type TagCheck = (subject: RefgetSubject, tag: string, known: KnownBases) => Promise<Verdict>;

/** Makes a rule of services that send an entity tag with a whole sequence. */
function withTag(check: TagCheck): Rule<RefgetSubject>['run'] {
  return withBases(
    async (subject, known) => {
      const tag = (await askSequence(subject)).headers.get('etag');
      return tag === null ? inapplicable('the service sends no ETag') : check(subject, tag, known);
    },
    { isWhole: true },
  );
}

const askPart = (subject: RefgetSubject, ifRange: string): Promise<Answer> =>
  askSequence(subject, '', { range: 'bytes=0-1', 'if-range': ifRange });

export const CACHING_RULES: readonly Rule<RefgetSubject>[] = [
  {
    ...RULE,
    id: 'refget.caching.etag',
    section: 'RFC 9110 §8.8.3',
    title: 'sends an entity tag with a sequence',
    run: withBases(
      async (subject) =>
        expectHeader(await askSequence(subject), 'ETag', {
          expected: 'an entity tag',
          isExpected: (value) => /^(?:w\/)?"[^"]*"$/.test(value ?? ''),
        }),
      { atLeast: 0, isWhole: true },
    ),
  },
  {
    ...RULE,
    id: 'refget.caching.same-etag',
    section: 'RFC 9110 §8.8.1',
    title: 'sends the same entity tag again',
    run: withTag(async (subject, tag, { length }) => {
      if (length > 1024 * 1024) return inapplicable('the sequence is too long to be fetched again');
      const { endpoint, id, probe } = subject;
      const answer = await probe.askAgain({ url: `${endpoint}/${encodeURIComponent(id)}`, headers: {} });
      const found = answer.headers.get('etag');
      return found === tag ? KEPT : broken(answer, { expected: `ETag: ${tag}`, found: `ETag: ${found}` });
    }),
  },
  {
    ...RULE,
    id: 'refget.caching.not-modified',
    section: 'RFC 9110 §13.1.2',
    title: 'answers 304 without a body if If-None-Match has the entity tag',
    run: withTag(async (subject, tag) => {
      const answer = await askSequence(subject, '', { 'if-none-match': tag });
      if (answer.status !== 304) return expectStatus(answer, 304);
      return answer.body.length === 0
        ? KEPT
        : broken(answer, { expected: 'no body', found: `${answer.body.length} bytes` });
    }),
  },
  {
    ...RULE,
    id: 'refget.caching.not-modified-etag',
    section: 'RFC 9110 §15.4.5',
    title: 'repeats the entity tag with 304',
    run: withTag(async (subject, tag) => {
      const answer = await askSequence(subject, '', { 'if-none-match': tag });
      if (answer.status !== 304) return inapplicable('the service does not answer 304');
      return expectHeader(answer, 'ETag', { expected: tag, isExpected: (value) => value === tag.toLowerCase() });
    }),
  },
  {
    ...RULE,
    id: 'refget.caching.modified',
    section: 'RFC 9110 §13.1.2',
    level: 'MUST',
    title: 'sends the sequence if If-None-Match has another entity tag',
    run: withTag(async (subject, _, { bases, length }) => {
      if (length > 1024 * 1024) return inapplicable('the sequence is too long to be fetched again');
      return expectBases(await askSequence(subject, '', { 'if-none-match': '"htskit-conform"' }), bases);
    }),
  },
  {
    ...RULE,
    id: 'refget.caching.if-range',
    section: 'RFC 9110 §13.1.5',
    title: 'sends the part if If-Range has the entity tag',
    run: withTag(async (subject, tag, { bases }) => {
      if (tag.startsWith('W/')) return inapplicable('the entity tag is weak');
      const range = await askSequence(subject, '', { range: 'bytes=0-1' });
      if (range.status !== 206) return inapplicable('the service does not answer Range headers with 206');
      return expectBases(await askPart(subject, tag), bases.subarray(0, 2), 206);
    }),
  },
  {
    ...RULE,
    id: 'refget.caching.other-if-range',
    section: 'RFC 9110 §13.1.5',
    title: 'sends the whole sequence if If-Range has another entity tag',
    run: withTag(async (subject, _, { bases, length }) => {
      if (length > 1024 * 1024) return inapplicable('the sequence is too long to be fetched again');
      return expectBases(await askPart(subject, '"htskit-conform"'), bases);
    }),
  },
  {
    ...RULE,
    id: 'refget.caching.other-media-type',
    section: 'RFC 9110 §8.8.3',
    title: 'sends another entity tag with the same sequence in another media type',
    run: withTag(async (subject, tag, { length }) => {
      if (length > 1024 * 1024) return inapplicable('the sequence is too long to be fetched again');
      const json = await askSequence(subject, '', { accept: 'application/json' });
      if (!json.mediaType.endsWith('json') || json.status !== 200)
        return inapplicable('the service does not send sequences as JSON');
      const expected = 'another one than for plain text';
      return expectHeader(json, 'ETag', { expected, isExpected: (value) => value !== tag.toLowerCase() });
    }),
  },
  {
    ...RULE,
    id: 'refget.caching.cacheable',
    section: 'RFC 9111 §5.2.2.5',
    title: 'does not forbid caches to store a sequence',
    run: withBases(
      async (subject) =>
        expectHeader(await askSequence(subject), 'Cache-Control', {
          expected: 'anything else than no-store',
          isExpected: (value) => !/\bno-store\b/.test(value ?? ''),
        }),
      { atLeast: 0, isWhole: true },
    ),
  },
  {
    ...RULE,
    id: 'refget.caching.lifetime',
    section: 'RFC 9111 §5.2.2.1',
    level: 'MAY',
    title: 'states how long a sequence is fresh, which never changes',
    run: withBases(
      async (subject) =>
        expectHeader(await askSequence(subject), 'Cache-Control', {
          expected: 'max-age',
          isExpected: (value) => /\bmax-age=[1-9]/.test(value ?? ''),
        }),
      { atLeast: 0, isWhole: true },
    ),
  },
];
