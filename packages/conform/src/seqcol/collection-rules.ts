import { describeAnswer } from '../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, type Rule, type Verdict } from '../engine/rule.js';
import { describeValue, expectHeader, expectStatus, expectValue } from '../refget/expect-answer.js';
import { canonicalJson, digestValue } from './canonical-json.js';
import {
  arrayOf,
  askLevel,
  askPath,
  type CollectionLevels,
  qualifiedAttributes,
  type SeqcolSubject,
  withLevels,
} from './seqcol-subject.js';

const COLLECTION = { section: '§3.2 Collection', level: 'MUST', scope: 'object' } as const;
const ENCODING = { section: '§2 Encoding', level: 'MUST', scope: 'object' } as const;

/** A digest that no service has. */
export const UNKNOWN_DIGEST: string = '_'.repeat(32);

/** The pairs that the attribute `name_length_pairs` has (sequence collections 1.0.0, §5.1). */
function pairsOf({ level2 }: CollectionLevels): readonly object[] {
  const lengths = arrayOf(level2, 'lengths');
  return arrayOf(level2, 'names').map((name, index) => ({ length: lengths[index], name }));
}

/** Checks the value of each element of an attribute. */
function everyElement(
  name: string,
  isExpected: (element: unknown) => boolean,
  expected: string,
): Rule<SeqcolSubject>['run'] {
  return withLevels((_, { level2, answer2 }) => {
    const elements = level2[name];
    if (!Array.isArray(elements))
      return broken(answer2, { expected: `an array "${name}"`, found: describeValue(elements) });
    const wrong = elements.findIndex((element) => !isExpected(element));
    if (wrong < 0) return KEPT;
    return broken(answer2, { expected, found: `${describeValue(elements[wrong])} at index ${wrong}` });
  });
}

/** Compares the digest of an attribute at level 1 with that of a value. */
function expectDigest({ level1, answer1 }: CollectionLevels, name: string, value: unknown): Verdict {
  return expectValue(answer1, `digest of ${name}`, { expected: digestValue(value), found: level1[name] });
}

export const COLLECTION_RULES: readonly Rule<SeqcolSubject>[] = [
  {
    ...COLLECTION,
    id: 'seqcol.collection.levels',
    title: 'answers 200 with the collection at level 1 and at level 2',
    run: (subject) =>
      allKept(
        ([1, 2] as const).map((level) => async () => {
          const answer = await askLevel(subject, level);
          if (answer.status === 200 && answer.object !== undefined) return KEPT;
          return broken(answer, { expected: `status 200 and level ${level}`, found: describeAnswer(answer) });
        }),
      ),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.default-level',
    title: 'sends level 2 without a level',
    run: withLevels(async (subject, { level2 }) => {
      const answer = await askPath(subject, `collection/${subject.digest}`);
      if (answer.status !== 200) return expectStatus(answer, 200);
      if (canonicalJson(answer.json) === canonicalJson(level2)) return KEPT;
      return broken(answer, { expected: 'the collection at level 2', found: describeAnswer(answer) });
    }),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.names',
    section: '§1 Schema',
    title: 'has names as strings',
    run: everyElement('names', (name) => typeof name === 'string', 'a string'),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.lengths',
    section: '§1 Schema',
    title: 'has lengths as integers',
    run: everyElement('lengths', (length) => Number.isSafeInteger(length) && Number(length) >= 0, 'an integer'),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.sequences',
    section: '§1 Schema',
    title: 'has sequences as SQ. digests of refget',
    run: everyElement('sequences', (digest) => /^SQ\.[\w-]{32}$/.test(String(digest)), 'an SQ. digest'),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.collated',
    section: '§4.2 Collated attributes',
    title: 'has as many names and lengths as sequences',
    run: withLevels((_, { level2, answer2 }) => {
      const expected = arrayOf(level2, 'sequences').length;
      const found = ['names', 'lengths'].map((name) => arrayOf(level2, name).length);
      if (found.every((count) => count === expected)) return KEPT;
      return broken(answer2, {
        expected: `${expected} names and lengths`,
        found: `${found.join(' names and ')} lengths`,
      });
    }),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.same-attributes',
    title: 'has every attribute at both levels, except transient ones',
    run: withLevels((subject, { level1, level2, answer2 }) => {
      const transient = qualifiedAttributes(subject, 'transient');
      const toNames = (level: object): string =>
        Object.keys(level)
          .filter((name) => !transient.includes(name))
          .sort()
          .join(', ');
      const [expected, found] = [toNames(level1), toNames(level2)];
      return found === expected ? KEPT : broken(answer2, { expected, found });
    }),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.transient',
    section: '§4.5 Transient attributes',
    level: 'SHOULD',
    title: 'leaves transient attributes out of level 2',
    run: withLevels((subject, { level2, answer2 }) => {
      const transient = qualifiedAttributes(subject, 'transient');
      if (transient.length === 0) return inapplicable('the schema has no transient attribute');
      const found = transient.filter((name) => name in level2);
      return found.length === 0
        ? KEPT
        : broken(answer2, { expected: 'no transient attribute', found: found.join(', ') });
    }),
  },
  {
    ...ENCODING,
    id: 'seqcol.digests.attributes',
    title: 'has the digest of each attribute of level 2 at level 1',
    run: withLevels((subject, levels) => {
      const passthru = qualifiedAttributes(subject, 'passthru');
      const names = Object.keys(levels.level2).filter((name) => !passthru.includes(name));
      return allKept(names.map((name) => () => expectDigest(levels, name, levels.level2[name])));
    }),
  },
  {
    ...ENCODING,
    id: 'seqcol.digests.collection',
    title: 'has the digest of the inherent attributes at level 1 as the digest of the collection',
    run: withLevels((subject, { level1, answer1 }) => {
      const inherent = qualifiedAttributes(subject, 'inherent');
      const names = inherent.length === 0 ? ['names', 'sequences'] : inherent;
      const digests = names.filter((name) => name in level1).map((name) => [name, level1[name]]);
      const found = digestValue(Object.fromEntries(digests));
      return expectValue(answer1, 'attributes with the digest', { expected: subject.digest, found });
    }),
  },
  {
    ...ENCODING,
    id: 'seqcol.digests.name-length-pairs',
    section: '§5.1 The name_length_pairs attribute',
    title: 'has the digest of the pairs of names and lengths, if it has them',
    run: withLevels((_, levels) => {
      if (!('name_length_pairs' in levels.level1)) return inapplicable('the collection has no name_length_pairs');
      return expectDigest(levels, 'name_length_pairs', pairsOf(levels));
    }),
  },
  {
    ...ENCODING,
    id: 'seqcol.digests.sorted-name-length-pairs',
    section: '§5.2 The sorted_name_length_pairs attribute',
    title: 'has the digest of the sorted digests of the pairs of names and lengths, if it has it',
    run: withLevels((_, levels) => {
      if (!('sorted_name_length_pairs' in levels.level1))
        return inapplicable('the collection has no sorted_name_length_pairs');
      return expectDigest(levels, 'sorted_name_length_pairs', pairsOf(levels).map(digestValue).sort());
    }),
  },
  {
    ...ENCODING,
    id: 'seqcol.digests.sorted-sequences',
    section: '§5.3 The sorted_sequences attribute',
    title: 'has the digest of the sorted sequences, if it has it',
    run: withLevels((_, levels) => {
      if (!('sorted_sequences' in levels.level1)) return inapplicable('the collection has no sorted_sequences');
      return expectDigest(levels, 'sorted_sequences', arrayOf(levels.level2, 'sequences').map(String).sort());
    }),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.refget',
    section: 'Seqcol protocol functionality',
    level: 'SHOULD',
    title: 'has sequences whose length a refget service at the same place confirms, if there is one',
    run: withLevels(async (subject, { level2 }) => {
      const [sequence] = arrayOf(level2, 'sequences').map(String);
      if (sequence === undefined) return inapplicable('the collection is empty');
      const answer = await askPath(subject, `sequence/${sequence}/metadata`);
      const metadata = answer.object?.['metadata'];
      if (answer.status !== 200 || metadata === undefined)
        return inapplicable('the sequences are not served at the same place');
      const found =
        typeof metadata === 'object' && metadata !== null && 'length' in metadata ? metadata.length : undefined;
      return expectValue(answer, 'metadata.length', { expected: arrayOf(level2, 'lengths')[0], found });
    }),
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.content-type',
    level: 'SHOULD',
    title: 'sends a collection as JSON',
    run: async (subject) => {
      const answer = await askPath(subject, `collection/${subject.digest}`);
      const isExpected = (): boolean => /^application\/(?:.+\+)?json$/.test(answer.mediaType);
      return expectHeader(answer, 'Content-Type', { expected: 'application/json', isExpected });
    },
  },
  {
    ...COLLECTION,
    id: 'seqcol.collection.unknown',
    level: 'SHOULD',
    scope: 'service',
    title: 'answers 404 for an unknown collection',
    run: async (subject) => expectStatus(await askPath(subject, `collection/${UNKNOWN_DIGEST}`), 404),
  },
];
