import { type Answer, describeAnswer, isJsonObject } from '../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, type Rule, RuleEnd, type Verdict } from '../engine/rule.js';
import { describeValue, expectStatus, expectValue } from '../refget/expect-answer.js';
import { UNKNOWN_DIGEST } from './collection-rules.js';
import { askPath, qualifiedAttributes, type SeqcolSubject, withLevels } from './seqcol-subject.js';

const RULE = { section: '§3.4 List', level: 'MUST' } as const;
const SERVICE = { ...RULE, scope: 'service' } as const;
const OBJECT = { ...RULE, scope: 'object' } as const;

/** A page of a list. */
interface Page {
  readonly answer: Answer;
  readonly results: readonly unknown[];
  /** The member `pagination`. */
  readonly pagination: Readonly<Record<string, unknown>>;
}

/** Asks for a page of the list of collections. Ends the rule if there is none. */
async function askPage(subject: SeqcolSubject, query = ''): Promise<Page> {
  const answer = await askPath(subject, `list/collection${query}`);
  const { results, pagination } = answer.object ?? {};
  if (answer.status === 200 && Array.isArray(results) && isJsonObject(pagination)) {
    return { answer, results, pagination };
  }
  const expected = 'status 200, an array "results" and an object "pagination"';
  throw new RuleEnd(broken(answer, { expected, found: describeAnswer(answer) }));
}

type PageCheck = (page: Page, subject: SeqcolSubject) => Verdict | Promise<Verdict>;

/** Makes the function `run` of a rule about a page of the list. */
function withPage(query: string, check: PageCheck): Rule<SeqcolSubject>['run'] {
  return async (subject) => check(await askPage(subject, query), subject);
}

function expectNumber({ answer, pagination }: Page, name: string, expected?: number): Verdict {
  const found = pagination[name];
  if (expected !== undefined) return expectValue(answer, `pagination.${name}`, { expected, found });
  if (Number.isInteger(found)) return KEPT;
  return broken(answer, { expected: `pagination.${name} as an integer`, found: describeValue(found) });
}

/** Checks that a list that is filtered by an attribute of the collection has the collection. */
function expectListed({ answer, results }: Page, { digest }: SeqcolSubject): Verdict {
  if (results.includes(digest)) return KEPT;
  return broken(answer, { expected: `"${digest}" among the results`, found: describeValue(results) });
}

/** Makes a rule about lists that are filtered by an attribute which `select` chooses. */
function withFilter(
  select: (subject: SeqcolSubject, names: readonly string[]) => string | undefined,
  check: PageCheck,
): Rule<SeqcolSubject>['run'] {
  return withLevels(async (subject, { level1 }) => {
    const name = select(subject, Object.keys(level1));
    if (name === undefined) return inapplicable('the collection has no such attribute');
    return withPage(`?${name}=${String(level1[name])}`, check)(subject);
  });
}

export const LIST_RULES: readonly Rule<SeqcolSubject>[] = [
  {
    ...SERVICE,
    id: 'seqcol.list.document',
    title: 'answers 200 with results and pagination for /list/collection',
    run: withPage('', () => KEPT),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.pagination',
    title: 'has page, page_size and total as integers in pagination',
    run: withPage('', (page) => allKept(['page', 'page_size', 'total'].map((name) => () => expectNumber(page, name)))),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.first-page',
    title: 'begins with page 0',
    run: withPage('', async (first, subject) => {
      const page = await askPage(subject, '?page=0');
      const number = expectNumber(first, 'page', 0);
      return number.kind === 'kept' ? expectSame(page, first.results) : number;
    }),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.page-size',
    title: 'sends as many results as page_size says',
    run: withPage('?page=0&page_size=1', (page) => {
      const { answer, results } = page;
      if (results.length > 1) return broken(answer, { expected: 'one result', found: `${results.length} results` });
      return expectNumber(page, 'page_size', 1);
    }),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.pages',
    title: 'sends each result on one page only',
    run: withPage('', async ({ results }, subject) => {
      if (results.length < 2) return inapplicable('the service has one collection');
      return allKept(
        [0, 1].map((number) => async () => {
          const page = await askPage(subject, `?page=${number}&page_size=1`);
          return expectSame(page, results.slice(number, number + 1));
        }),
      );
    }),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.total',
    title: 'has the number of all results as total, whatever page_size is',
    run: withPage('', async ({ pagination }, subject) => {
      const page = await askPage(subject, '?page=0&page_size=1');
      return expectNumber(page, 'total', Number(pagination['total']));
    }),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.after-last-page',
    title: 'answers 200 without results after the last page',
    readings: ['a page after the last one has no results', 'it does not exist: 404 or another error'],
    run: withPage('?page=100000&page_size=100', (page) => expectSame(page, [])),
  },
  {
    ...OBJECT,
    id: 'seqcol.list.filter',
    title: 'lists a collection by the digest of its names',
    run: withFilter((_, names) => names.find((name) => name === 'names'), expectListed),
  },
  {
    ...OBJECT,
    id: 'seqcol.list.filter-non-inherent',
    title: 'lists a collection by the digest of an attribute that is not inherent',
    run: withFilter((_, names) => names.find((name) => name === 'lengths'), expectListed),
  },
  {
    ...OBJECT,
    id: 'seqcol.list.filter-transient',
    section: '§4.5 Transient attributes',
    title: 'lists a collection by the digest of a transient attribute',
    run: withFilter(
      (subject, names) => qualifiedAttributes(subject, 'transient').find((name) => names.includes(name)),
      expectListed,
    ),
  },
  {
    ...OBJECT,
    id: 'seqcol.list.filter-excludes',
    title: 'lists only the collections that have the digest of an attribute',
    run: withFilter(
      (_, names) => names.find((name) => name === 'sequences'),
      async ({ answer, results }, subject) => {
        const { other, digest } = subject;
        if (other === undefined) return inapplicable('the service has one collection');
        const [its, mine] = [
          await askPath(subject, `collection/${other}?level=1`),
          await askPath(subject, `collection/${digest}?level=1`),
        ];
        if (mine.object?.['sequences'] === its.object?.['sequences'])
          return inapplicable('the collections have the same sequences');
        if (!results.includes(other)) return KEPT;
        return broken(answer, { expected: `results without "${other}"`, found: describeValue(results) });
      },
    ),
  },
  {
    ...OBJECT,
    id: 'seqcol.list.filter-all',
    title: 'requires all attributes of the query to match',
    run: withLevels(async (subject, { level1 }) => {
      const page = await askPage(subject, `?names=${String(level1['names'])}&sequences=${UNKNOWN_DIGEST}`);
      return expectSame(page, []);
    }),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.filter-unknown',
    title: 'lists no collection by an unknown digest of an attribute',
    run: withPage(`?names=${UNKNOWN_DIGEST}`, (page) => expectSame(page, [])),
  },
  {
    ...SERVICE,
    id: 'seqcol.list.object-type',
    level: 'SHOULD',
    title: 'answers 404 for the list of another type of objects',
    run: async (subject) => expectStatus(await askPath(subject, 'list/htskit-conform'), 404),
  },
];

function expectSame({ answer, results }: Page, expected: readonly unknown[]): Verdict {
  if (JSON.stringify(results) === JSON.stringify(expected)) return KEPT;
  return broken(answer, { expected: `results ${describeValue(expected)}`, found: describeValue(results) });
}
