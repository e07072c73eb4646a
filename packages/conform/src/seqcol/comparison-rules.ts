import { type Answer, isJsonObject, type JsonObject } from '../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, type Rule, type Verdict } from '../engine/rule.js';
import { describeValue, expectStatus, expectValue } from '../refget/expect-answer.js';
import { UNKNOWN_DIGEST } from './collection-rules.js';
import { BASE_ATTRIBUTES, type LocalCollection, pick, shareElements } from './comparison.js';
import { arrayOf, askLevel, askPath, qualifiedAttributes, type SeqcolSubject, withLevels } from './seqcol-subject.js';

const RULE = { section: '§3.3 Comparison', level: 'MUST', scope: 'object' } as const;
const ORDER = { ...RULE, section: '§3.3 Comparison, Same-order specification' } as const;

/** Sequences of a collection that is sent as the body of a comparison. */
const POSTED_SEQUENCES = 1000;

/** Asks for the comparison with a collection in the body. */
function postComparison({ base, digest, probe }: SeqcolSubject, body: object | string): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return probe.ask({ url: `${base}/comparison/${digest}`, method: 'POST', headers, body: text });
}

/** Returns a member of a comparison, such as `array_elements.a_count.names`. */
function memberOf({ object }: Answer, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), object);
}

/** Checks the counts and orders of the base attributes against the collections themselves. */
function expectComparison(answer: Answer, a: JsonObject, b: JsonObject): Promise<Verdict> | Verdict {
  if (answer.status !== 200) return expectStatus(answer, 200);
  return allKept(
    BASE_ATTRIBUTES.flatMap((name) => {
      const { count } = shareElements(arrayOf(a, name), arrayOf(b, name));
      const expected = { a_count: arrayOf(a, name).length, b_count: arrayOf(b, name).length, a_and_b_count: count };
      return Object.entries(expected).map(([member, number]) => () => {
        const found = memberOf(answer, 'array_elements', member, name);
        return expectValue(answer, `array_elements.${member}.${name}`, { expected: number, found });
      });
    }),
  );
}

function expectOrder(answer: Answer, name: string, expected: boolean | null): Verdict {
  if (answer.status !== 200) return expectStatus(answer, 200);
  const found = memberOf(answer, 'array_elements', 'a_and_b_same_order', name);
  return expectValue(answer, `array_elements.a_and_b_same_order.${name}`, { expected, found });
}

type LocalCheck = (answer: Answer, level2: JsonObject, local: LocalCollection) => Verdict | Promise<Verdict>;

/**
 * Makes a rule about the comparison of a collection with some of its own sequences: `choose` returns their indexes, or undefined if
 * the collection has too few.
 */
function withLocal(
  choose: (count: number) => readonly number[] | undefined,
  check: LocalCheck,
): Rule<SeqcolSubject>['run'] {
  return withLevels(async (subject, { level2 }) => {
    const indexes = choose(Math.min(arrayOf(level2, 'names').length, POSTED_SEQUENCES));
    if (indexes === undefined) return inapplicable('the collection has too few sequences');
    const local = pick(level2, indexes);
    const answer = await postComparison(subject, local);
    if (answer.status === 404 || answer.status === 405)
      return inapplicable('the service does not compare with collections in a body');
    return check(answer, level2, local);
  });
}

const all = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Makes a rule about the comparison of two collections of the service, or of the collection with itself if it is the only one. */
function withComparison(
  check: (answer: Answer, subject: SeqcolSubject, b: string) => Verdict | Promise<Verdict>,
): Rule<SeqcolSubject>['run'] {
  return async (subject) => {
    const b = subject.other ?? subject.digest;
    const answer = await askPath(subject, `comparison/${subject.digest}/${b}`);
    return answer.status === 404 || answer.status === 501
      ? inapplicable('the service does not compare collections')
      : check(answer, subject, b);
  };
}

/** Returns the shape of a list of names of attributes. */
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string');

export const COMPARISON_RULES: readonly Rule<SeqcolSubject>[] = [
  {
    ...RULE,
    id: 'seqcol.comparison.supported',
    level: 'SHOULD',
    title: 'compares two collections',
    run: async (subject) => expectStatus(await askPath(subject, `comparison/${subject.digest}/${subject.digest}`), 200),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.digests',
    title: 'has the digests of both collections',
    run: withComparison((answer, { digest }, b) =>
      allKept(
        Object.entries({ a: digest, b }).map(
          ([name, expected]) =>
            () =>
              expectValue(answer, `digests.${name}`, { expected, found: memberOf(answer, 'digests', name) }),
        ),
      ),
    ),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.attributes',
    title: 'has a_only, b_only and a_and_b as arrays of names',
    run: withComparison((answer) =>
      allKept(
        ['a_only', 'b_only', 'a_and_b'].map((name) => () => {
          const found = memberOf(answer, 'attributes', name);
          return isNames(found)
            ? KEPT
            : broken(answer, { expected: `attributes.${name} as names`, found: describeValue(found) });
        }),
      ),
    ),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.counts',
    title: 'counts the elements of each collection and of both',
    run: withComparison(async (answer, subject, b) => {
      const [one, other] = [await askLevel(subject, 2), await askLevel({ ...subject, digest: b }, 2)];
      return expectComparison(answer, one.object ?? {}, other.object ?? {});
    }),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.swapped',
    title: 'has the same comparison with a and b exchanged if the collections are exchanged',
    run: withComparison(async (answer, subject, b) => {
      const swapped = await askPath(subject, `comparison/${b}/${subject.digest}`);
      const expected = JSON.stringify(memberOf(answer, 'array_elements', 'a_count'));
      const found = JSON.stringify(memberOf(swapped, 'array_elements', 'b_count'));
      return expectValue(swapped, 'array_elements.b_count', { expected, found });
    }),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.transient',
    section: '§4.5 Transient attributes',
    title: 'lists transient attributes among the attributes',
    readings: [
      'transient attributes are listed, as the specification says',
      'they are not, as in its reference implementation',
    ],
    run: withComparison((answer, subject) => {
      const [name] = qualifiedAttributes(subject, 'transient');
      if (name === undefined) return inapplicable('the schema has no transient attribute');
      const found = memberOf(answer, 'attributes', 'a_and_b');
      if (Array.isArray(found) && found.includes(name)) return KEPT;
      return broken(answer, { expected: `"${name}" in attributes.a_and_b`, found: describeValue(found) });
    }),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.transient-elements',
    section: '§4.5 Transient attributes',
    title: 'does not count the elements of transient attributes',
    run: withComparison((answer, subject) => {
      const [name] = qualifiedAttributes(subject, 'transient');
      if (name === undefined) return inapplicable('the schema has no transient attribute');
      const found = memberOf(answer, 'array_elements', 'a_count', name);
      return found === undefined
        ? KEPT
        : broken(answer, { expected: `no a_count.${name}`, found: describeValue(found) });
    }),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.post',
    level: 'SHOULD',
    title: 'compares a collection with one in the body of a POST',
    run: withLevels(async (subject, { level2 }) => expectStatus(await postComparison(subject, pick(level2, [0])), 200)),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.post-digest',
    title: 'has the digest or null for the collection in the body',
    run: withLocal(all, (answer) => {
      const found = memberOf(answer, 'digests', 'b');
      if (found === null || (typeof found === 'string' && /^[\w-]{32}$/.test(found))) return KEPT;
      return broken(answer, { expected: 'digests.b: a digest or null', found: describeValue(found) });
    }),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.post-counts',
    title: 'counts the elements of the collection in the body and of both',
    run: withLocal((count) => all(count).slice(1), expectComparison),
  },
  {
    ...ORDER,
    id: 'seqcol.comparison.same-order',
    title: 'finds the elements in the same order if some are missing',
    run: withLocal(
      (count) => (count > 2 ? all(count).slice(1) : undefined),
      (answer) => expectOrder(answer, 'names', true),
    ),
  },
  {
    ...ORDER,
    id: 'seqcol.comparison.other-order',
    title: 'finds the elements in another order if they are reversed',
    run: withLocal(
      (count) => (count > 1 ? all(count).toReversed() : undefined),
      (answer) => expectOrder(answer, 'names', false),
    ),
  },
  {
    ...ORDER,
    id: 'seqcol.comparison.unbalanced',
    title: 'has null for the order if an element is repeated in one collection only',
    run: withLocal(
      (count) => (count > 1 ? [...all(count), 0] : undefined),
      (answer) => expectOrder(answer, 'names', null),
    ),
  },
  {
    ...ORDER,
    id: 'seqcol.comparison.single',
    title: 'has null for the order of a single element',
    readings: [
      'fewer than two elements have no order: null',
      'one element is in order: true, as in the reference implementation',
    ],
    run: withLocal(
      (count) => (count > 0 ? [0] : undefined),
      (answer) => expectOrder(answer, 'names', null),
    ),
  },
  {
    ...RULE,
    id: 'seqcol.comparison.malformed',
    level: 'SHOULD',
    title: 'answers 400 or 422 for a body that is not JSON',
    run: async (subject) => {
      const answer = await postComparison(subject, '{"names":');
      if (answer.status === 404 || answer.status === 405)
        return inapplicable('the service does not compare with collections in a body');
      return expectStatus(answer, 400, 422);
    },
  },
  {
    ...RULE,
    id: 'seqcol.comparison.unknown',
    level: 'SHOULD',
    title: 'answers 404 for the comparison with an unknown collection',
    run: async (subject) => expectStatus(await askPath(subject, `comparison/${subject.digest}/${UNKNOWN_DIGEST}`), 404),
  },
];
