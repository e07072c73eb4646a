import { describeAnswer } from '../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, type Rule } from '../engine/rule.js';
import { expectStatus, expectValue } from '../refget/expect-answer.js';
import { canonicalJson, digestValue } from './canonical-json.js';
import { UNKNOWN_DIGEST } from './collection-rules.js';
import {
  askPath,
  type CollectionLevels,
  qualifiedAttributes,
  type SeqcolSubject,
  withLevels,
} from './seqcol-subject.js';

const RULE = { section: '§3.5 Attribute', level: 'MUST', scope: 'object' } as const;

/** Returns the attributes that the endpoint must have: those of level 2 that are not passed through. */
function retrievable(subject: SeqcolSubject, { level2 }: CollectionLevels): readonly string[] {
  const excluded = [...qualifiedAttributes(subject, 'passthru'), ...qualifiedAttributes(subject, 'transient')];
  return Object.keys(level2).filter((name) => !excluded.includes(name));
}

const pathOf = (name: string, digest: unknown): string => `attribute/collection/${name}/${String(digest)}`;

export const ATTRIBUTE_RULES: readonly Rule<SeqcolSubject>[] = [
  {
    ...RULE,
    id: 'seqcol.attribute.values',
    title: 'sends the value of each attribute as at level 2 of the collection',
    run: withLevels((subject, levels) =>
      allKept(
        retrievable(subject, levels).map((name) => async () => {
          const answer = await askPath(subject, pathOf(name, levels.level1[name]));
          if (answer.status !== 200) return expectStatus(answer, 200);
          if (canonicalJson(answer.json ?? null) === canonicalJson(levels.level2[name])) return KEPT;
          return broken(answer, { expected: `${name} as at level 2`, found: describeAnswer(answer) });
        }),
      ),
    ),
  },
  {
    ...RULE,
    id: 'seqcol.attribute.digests',
    title: 'sends the value whose digest is requested',
    run: withLevels((subject, levels) =>
      allKept(
        retrievable(subject, levels).map((name) => async () => {
          const digest = levels.level1[name];
          const answer = await askPath(subject, pathOf(name, digest));
          return expectValue(answer, 'a value with the digest', {
            expected: digest,
            found: digestValue(answer.json ?? null),
          });
        }),
      ),
    ),
  },
  {
    ...RULE,
    id: 'seqcol.attribute.transient',
    level: 'SHOULD',
    title: 'answers 404 for a transient attribute',
    run: withLevels(async (subject, { level1 }) => {
      const name = qualifiedAttributes(subject, 'transient').find((candidate) => candidate in level1);
      if (name === undefined) return inapplicable('the collection has no transient attribute');
      return expectStatus(await askPath(subject, pathOf(name, level1[name])), 404);
    }),
  },
  {
    ...RULE,
    id: 'seqcol.attribute.unknown-digest',
    level: 'SHOULD',
    scope: 'service',
    title: 'answers 404 for an unknown digest of an attribute',
    run: async (subject) => expectStatus(await askPath(subject, pathOf('names', UNKNOWN_DIGEST)), 404),
  },
  {
    ...RULE,
    id: 'seqcol.attribute.unknown-name',
    level: 'SHOULD',
    scope: 'service',
    title: 'answers 404 for an attribute that is not in the schema',
    run: async (subject) => expectStatus(await askPath(subject, pathOf('htskit-conform', UNKNOWN_DIGEST)), 404),
  },
];
