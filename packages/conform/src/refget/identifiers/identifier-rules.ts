import { type Answer, isJsonObject } from '../../engine/answer.js';
import { inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { announces, askIdentifier } from '../ask.js';
import { expectBasesAtStart, expectStatus, expectValue } from '../expect-answer.js';
import { findDigests, findMetadata, type KnownBases, type KnownDigests, withBases } from '../known-bases.js';
import type { RefgetSubject } from '../refget-subject.js';

/** A way to write a digest of a sequence as its id. */
interface IdentifierForm {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  /** The digest, as service-info names it. Services may lack all but MD5. */
  readonly algorithm: 'md5' | 'ga4gh' | 'trunc512';
  /** Returns undefined if the digest is not known. */
  readonly write: (digests: KnownDigests) => string | undefined;
}

const NAMESPACE = 'Namespace of the checksums';
const CASE = 'Checksum calculation';

const FORMS: readonly IdentifierForm[] = [
  {
    name: 'md5',
    section: 'Alternative Checksum Algorithms',
    title: 'its MD5',
    algorithm: 'md5',
    write: ({ md5 }) => md5,
  },
  {
    name: 'md5-upper-case',
    section: CASE,
    title: 'its MD5 in upper case',
    algorithm: 'md5',
    write: ({ md5 }) => md5?.toUpperCase(),
  },
  {
    name: 'md5-namespace',
    section: NAMESPACE,
    title: 'md5: and its MD5',
    algorithm: 'md5',
    write: ({ md5 }) => md5 && `md5:${md5}`,
  },
  {
    name: 'ga4gh',
    section: 'refget Checksum Algorithm',
    title: 'its SQ. digest',
    algorithm: 'ga4gh',
    write: ({ sha512t24u }) => sha512t24u,
  },
  {
    name: 'ga4gh-namespace',
    section: NAMESPACE,
    title: 'ga4gh: and its SQ. digest',
    algorithm: 'ga4gh',
    write: ({ sha512t24u }) => sha512t24u && `ga4gh:${sha512t24u}`,
  },
  {
    name: 'trunc512',
    section: 'Checksum Identifier Identification',
    title: 'its TRUNC512',
    algorithm: 'trunc512',
    write: ({ trunc512 }) => trunc512,
  },
  {
    name: 'trunc512-upper-case',
    section: CASE,
    title: 'its TRUNC512 in upper case',
    algorithm: 'trunc512',
    write: ({ trunc512 }) => trunc512?.toUpperCase(),
  },
  {
    name: 'trunc512-namespace',
    section: NAMESPACE,
    title: 'trunc512: and its TRUNC512',
    algorithm: 'trunc512',
    write: ({ trunc512 }) => trunc512 && `trunc512:${trunc512}`,
  },
];

/** Bases that are compared to recognise a sequence. */
const RECOGNISED_BASES = 1000;

const FOUND_RULES = FORMS.flatMap((form): readonly Rule<RefgetSubject>[] => {
  const { name, section, title } = form;
  const rule = { section, level: 'MUST', scope: 'object' } as const;
  return [
    {
      ...rule,
      id: `refget.identifiers.${name}`,
      title: `finds a sequence by ${title}`,
      run: withIdentifier(form, async (subject, id, known) => {
        const bases = known.bases.subarray(0, RECOGNISED_BASES);
        return expectBasesAtStart(await askIdentifier(subject, id, `?start=0&end=${bases.length}`), bases);
      }),
    },
    {
      ...rule,
      id: `refget.identifiers.${name}-metadata`,
      title: `finds the metadata of a sequence by ${title}`,
      run: withIdentifier(form, async (subject, id, known) =>
        expectLength(await askIdentifier(subject, id, '/metadata'), known.length),
      ),
    },
  ];
});

type IdentifierCheck = (subject: RefgetSubject, id: string, known: KnownBases) => Promise<Verdict>;

/** Makes a rule that applies to the sequences whose digest can be computed, if the service announces its algorithm. */
function withIdentifier({ algorithm, write }: IdentifierForm, check: IdentifierCheck): Rule<RefgetSubject>['run'] {
  return withBases(
    async (subject, known) => {
      if (!announces(subject, algorithm)) return inapplicable(`service-info does not name the algorithm ${algorithm}`);
      const id = write(await findDigests(subject, known));
      return id === undefined ? inapplicable('the digest is not known') : check(subject, id, known);
    },
    { atLeast: 1 },
  );
}

/** Ids that no service has: well-formed digests, a name and text that is neither. */
const UNKNOWN_IDS = {
  md5: { title: 'an unknown MD5', id: 'f'.repeat(32) },
  ga4gh: { title: 'an unknown SQ. digest', id: `SQ.${'_'.repeat(32)}` },
  trunc512: { title: 'an unknown TRUNC512', id: 'f'.repeat(48) },
  name: { title: 'an unknown name of a naming authority', id: 'insdc:htskit-conform-no-such-name' },
  malformed: { title: 'an id that is not a digest', id: 'htskit-conform-no-such-id' },
} as const;

const UNKNOWN_RULES = Object.entries(UNKNOWN_IDS).flatMap(([name, { title, id }]): readonly Rule<RefgetSubject>[] => {
  const rule = { level: 'MUST', scope: 'service' } as const;
  return [
    {
      ...rule,
      id: `refget.identifiers.unknown-${name}`,
      section: 'Method: get sequence by ID, Response',
      title: `answers 404 for ${title}`,
      run: async (subject) => expectStatus(await askIdentifier(subject, id), 404),
    },
    {
      ...rule,
      id: `refget.identifiers.unknown-${name}-metadata`,
      section: 'Method: Get known metadata for an id, Response',
      title: `answers 404 for the metadata of ${title}`,
      run: async (subject) => expectStatus(await askIdentifier(subject, id, '/metadata'), 404),
    },
  ];
});

/** Names of the sequence under a naming authority that service-info announces. */
async function announcedNames(subject: RefgetSubject): Promise<readonly string[]> {
  const types: unknown = subject.capabilities['identifier_types'];
  const aliases: unknown = (await findMetadata(subject))?.['aliases'];
  if (!Array.isArray(types) || !Array.isArray(aliases)) return [];
  return aliases
    .filter(isJsonObject)
    .filter(({ naming_authority: authority }) => types.includes(authority))
    .map(({ naming_authority: authority, alias }) => `${String(authority)}:${String(alias)}`);
}

const NAME_RULES: readonly Rule<RefgetSubject>[] = [
  {
    id: 'refget.identifiers.name',
    section: 'Unique Identifiers',
    level: 'MUST',
    scope: 'object',
    title: 'finds a sequence by its name of an announced naming authority, or answers 300 or 409 if several have it',
    run: withBases(async (subject, { bases }) => {
      const [name] = await announcedNames(subject);
      if (name === undefined) return inapplicable('the sequence has no name of an announced naming authority');
      const expected = bases.subarray(0, RECOGNISED_BASES);
      const answer = await askIdentifier(subject, name, `?start=0&end=${expected.length}`);
      return answer.status === 300 || answer.status === 409 ? KEPT : expectBasesAtStart(answer, expected);
    }),
  },
  {
    id: 'refget.identifiers.name-metadata',
    section: 'Unique Identifiers',
    level: 'MUST',
    scope: 'object',
    title: 'finds the metadata of a sequence by such a name',
    run: withBases(async (subject, { length }) => {
      const [name] = await announcedNames(subject);
      if (name === undefined) return inapplicable('the sequence has no name of an announced naming authority');
      const answer = await askIdentifier(subject, name, '/metadata');
      return answer.status === 300 || answer.status === 409 ? KEPT : expectLength(answer, length);
    }),
  },
];

const OPEN_RULES: readonly Rule<RefgetSubject>[] = [
  {
    id: 'refget.identifiers.ga4gh-letter-case',
    section: CASE,
    level: 'MUST',
    scope: 'object',
    title: 'answers 404 for an SQ. digest in another letter case',
    readings: [
      'only hexadecimal digests ignore letter case',
      'a server may find any digest without regard to letter case',
    ],
    run: withBases(async (subject, known) => {
      const digest = (await findDigests(subject, known)).sha512t24u?.slice('SQ.'.length);
      if (digest === undefined) return inapplicable('the digest is not known');
      if (!announces(subject, 'ga4gh')) return inapplicable('service-info does not name the algorithm ga4gh');
      return expectStatus(await askIdentifier(subject, `SQ.${swapCase(digest)}`, '?start=0&end=1'), 404);
    }),
  },
  {
    id: 'refget.identifiers.other-namespace',
    section: NAMESPACE,
    level: 'MUST',
    scope: 'object',
    title: 'answers 404 for a digest in the namespace of another algorithm',
    readings: [
      'the namespace describes the algorithm of the digest',
      'the length of the digest decides, whatever its namespace is',
    ],
    run: withBases(async (subject, known) => {
      const { md5 } = await findDigests(subject, known);
      if (md5 === undefined) return inapplicable('the digest is not known');
      return expectStatus(await askIdentifier(subject, `trunc512:${md5}`, '?start=0&end=1'), 404);
    }),
  },
];

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

function expectLength(answer: Answer, length: number): Verdict {
  if (answer.status !== 200) return expectStatus(answer, 200);
  const metadata = answer.object?.['metadata'];
  const found = isJsonObject(metadata) ? metadata['length'] : undefined;
  return expectValue(answer, 'metadata.length', { expected: length, found });
}

export const IDENTIFIER_RULES: readonly Rule<RefgetSubject>[] = [
  ...FOUND_RULES,
  ...NAME_RULES,
  ...UNKNOWN_RULES,
  ...OPEN_RULES,
];
