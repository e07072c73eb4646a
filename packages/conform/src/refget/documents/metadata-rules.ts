import type { SequenceDigests } from '@htskit/digest';
import { type Answer, describeAnswer, isJsonObject, type JsonObject } from '../../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { announces, askIdentifier } from '../ask.js';
import { describeValue, expectValue } from '../expect-answer.js';
import { computeDigests, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'Method: Get known metadata for an id, Response', level: 'MUST', scope: 'object' } as const;

type MetadataCheck = (metadata: JsonObject, answer: Answer, subject: RefgetSubject) => Verdict | Promise<Verdict>;

/** Makes a rule about the member `metadata`. */
function withMetadata(check: MetadataCheck): Rule<RefgetSubject>['run'] {
  return async (subject) => {
    const answer = await askSequence(subject, '/metadata');
    const metadata = answer.object?.['metadata'];
    if (answer.status !== 200 || !isJsonObject(metadata)) return inapplicable('the service does not answer metadata');
    return check(metadata, answer, subject);
  };
}

/** Returns the digests of the bases that the service sends, or undefined if the sequence is too long. */
async function digestsOf(subject: RefgetSubject): Promise<SequenceDigests | undefined> {
  let digests: SequenceDigests | undefined;
  await withBases(
    (_, known) => {
      digests = computeDigests(known);
      return KEPT;
    },
    { atLeast: 0 },
  )(subject);
  return digests;
}

type DigestName = 'md5' | 'ga4gh' | 'trunc512';

/** Compares a digest in the metadata with that of the bases. */
function expectDigest(name: DigestName): Rule<RefgetSubject>['run'] {
  return withMetadata(async (metadata, answer, subject) => {
    const digests = await digestsOf(subject);
    if (digests === undefined) return inapplicable('the sequence is too long to be digested');
    if (!announces(subject, name)) return inapplicable(`service-info does not name the algorithm ${name}`);
    const found = metadata[name] ?? (name === 'ga4gh' ? metadata['std'] : undefined);
    const expected = name === 'ga4gh' ? digests.sha512t24u : digests[name];
    const isHexadecimal = name !== 'ga4gh' && typeof found === 'string';
    return expectValue(answer, `metadata.${name}`, { expected, found: isHexadecimal ? found.toLowerCase() : found });
  });
}

/** Checks each element of `aliases`. */
function everyAlias(check: (alias: JsonObject) => boolean, expected: string): Rule<RefgetSubject>['run'] {
  return withMetadata(({ aliases }, answer) => {
    const elements: readonly unknown[] = Array.isArray(aliases) ? aliases : [];
    const wrong = elements.find((element) => !isJsonObject(element) || !check(element));
    return wrong === undefined ? KEPT : broken(answer, { expected, found: describeValue(wrong) });
  });
}

export const METADATA_RULES: readonly Rule<RefgetSubject>[] = [
  {
    ...RULE,
    id: 'refget.metadata.document',
    title: 'answers 200 with an object "metadata"',
    run: async (subject) => {
      const answer = await askSequence(subject, '/metadata');
      if (answer.status === 200 && isJsonObject(answer.object?.['metadata'])) return KEPT;
      return broken(answer, { expected: 'status 200 and an object "metadata"', found: describeAnswer(answer) });
    },
  },
  {
    ...RULE,
    id: 'refget.metadata.md5',
    title: 'has the MD5 of the bases that the service sends',
    run: expectDigest('md5'),
  },
  {
    ...RULE,
    id: 'refget.metadata.ga4gh',
    title: 'has the SQ. digest of the bases that the service sends',
    run: expectDigest('ga4gh'),
  },
  {
    ...RULE,
    id: 'refget.metadata.trunc512',
    title: 'has the TRUNC512 of the bases that the service sends, if service-info announces it',
    run: expectDigest('trunc512'),
  },
  {
    ...RULE,
    id: 'refget.metadata.ga4gh-null',
    title: 'has null for the SQ. digest if service-info does not announce it',
    run: withMetadata((metadata, answer, subject) => {
      if (announces(subject, 'ga4gh')) return inapplicable('the service has SQ. digests');
      return expectValue(answer, 'metadata.ga4gh', { expected: null, found: metadata['ga4gh'] });
    }),
  },
  {
    ...RULE,
    id: 'refget.metadata.length',
    title: 'has the number of bases that the service sends',
    run: withBases(
      (subject, { length }) =>
        withMetadata((metadata, answer) =>
          expectValue(answer, 'metadata.length', { expected: length, found: metadata['length'] }),
        )(subject),
      { atLeast: 0 },
    ),
  },
  {
    ...RULE,
    id: 'refget.metadata.aliases',
    title: 'has an array of aliases',
    run: withMetadata(({ aliases }, answer) =>
      Array.isArray(aliases) ? KEPT : broken(answer, { expected: 'an array "aliases"', found: describeValue(aliases) }),
    ),
  },
  {
    ...RULE,
    id: 'refget.metadata.alias-members',
    title: 'has alias and naming_authority as strings in each alias',
    run: everyAlias(
      ({ alias, naming_authority: authority }) => typeof alias === 'string' && typeof authority === 'string',
      '"alias" and "naming_authority" as strings',
    ),
  },
  {
    ...RULE,
    id: 'refget.metadata.alias-case',
    section: 'Appendix 2, v2.0.0',
    level: 'SHOULD',
    title: 'has naming authorities in lower case',
    run: everyAlias(
      ({ naming_authority: authority }) => String(authority) === String(authority).toLowerCase(),
      'a naming authority in lower case',
    ),
  },
  {
    ...RULE,
    id: 'refget.metadata.same-for-all-ids',
    title: 'has the same digests, length and aliases whichever digest finds the sequence',
    run: withMetadata(async (metadata, _, subject) => {
      const digests = await digestsOf(subject);
      if (digests === undefined) return inapplicable('the sequence is too long to be digested');
      const { md5, sha512t24u } = digests;
      const ids = announces(subject, 'ga4gh') ? [md5, sha512t24u] : [md5];
      return allKept(
        ids.map((id) => async () => {
          const answer = await askIdentifier(subject, id, '/metadata');
          const other = answer.object?.['metadata'];
          const found = isJsonObject(other) ? withoutId(other) : undefined;
          return expectValue(answer, 'the metadata', { expected: withoutId(metadata), found });
        }),
      );
    }),
  },
];

/** Writes metadata without the id of the request, which may be part of it. */
function withoutId(metadata: JsonObject): string {
  const members = Object.entries(metadata).filter(([name]) => name !== 'id');
  return JSON.stringify(Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
