import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectCatalogue } from '@htskit/catalogue';
import { folderObjects } from '@htskit/catalogue/folder';
import { createHtsgetHandler, type HtsgetOptions } from '@htskit/htsget';
import { createRandom } from '@htskit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchAnswer, type Handler, PUBLIC_URL } from './interop-client.js';
import {
  type AnswerCase,
  cases,
  decodingWithoutReference,
  folders,
  localQuery,
  referencesOf,
  regionsOf,
  type TestReference,
  type TestRegion,
  viewCommand,
  WHOLE,
} from './interop-files.js';
import { lines, runTool, runTools } from './interop-tools.js';

/** Random regions of each file and format, besides those at edges. */
const RANDOM_REGIONS = 24;
/** The same of a file without records. */
const REGIONS_OF_EMPTY = 4;
/** Requests of each file and format for several regions at once, and how many those are at most. */
const POSTS = 8;
const MOST_REGIONS = 40;
/** One of so many regions is also requested of a file without its index. */
const UNINDEXED_SHARE = 4;

type Variant = 'exact' | 'auto' | 'chunks' | 'unindexed';

const handlers = new Map<string, Readonly<Record<Variant, Handler>>>();
const catalogues: ObjectCatalogue[] = [];
const failures: unknown[] = [];
let scratch = '';
/** Answers that were compared with what the tools give, of those that were planned. */
let compared = 0;
let planned = 0;
let withRecords = 0;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const folder of folders) {
    const catalogue = await folderObjects(folder);
    catalogues.push(catalogue);
    const create = (options: Partial<HtsgetOptions>): Handler =>
      createHtsgetHandler({
        resolve: (id, datatype) => catalogue.resolve(id, datatype),
        publicUrl: PUBLIC_URL,
        onError: (error) => failures.push(error),
        ...options,
      });
    handlers.set(folder, {
      exact: create({ precision: 'exact' }),
      auto: create({ precision: 'auto' }),
      chunks: create({ precision: 'chunks' }),
      unindexed: create({
        precision: 'exact',
        resolve: async (id, datatype) =>
          (await catalogue.resolve(id, datatype))?.map(({ format, data }) => ({ format, data })),
      }),
    });
  }
});
afterAll(async () => {
  await Promise.all(catalogues.map((catalogue) => catalogue.close()));
  rmSync(scratch, { recursive: true });
});

/** One request, and the records that it is for. */
interface Question {
  readonly regions: readonly TestRegion[];
  readonly isPost: boolean;
  readonly expected: readonly string[];
}

test.each(cases)('$name', { timeout: 120_000 }, async (answerCase) => {
  const references = await referencesOf(answerCase);
  const view = viewCommand(answerCase, decodingWithoutReference(references, join(scratch, `${answerCase.id}.fa`)));
  const all = lines(await runTool([...view, answerCase.path]));
  const questions = await askTools(answerCase, { references, records: all, view });
  const isCram = answerCase.format === 'CRAM';
  for (const variant of ['exact', 'chunks', 'unindexed'] as const) {
    // Containers are the same for each precision.
    if (isCram && variant === 'chunks') continue;
    const asked = variant === 'unindexed' ? questions.filter((_, rank) => rank % UNINDEXED_SHARE === 0) : questions;
    planned += asked.length;
    const answers = await receive(answerCase, asked, { variant, view });
    for (const [rank, { regions, expected }] of asked.entries()) {
      const received = answers[rank] ?? [];
      const what = `${variant} ${JSON.stringify(regions)}`;
      expect(variant === 'chunks' || isCram ? expected : received, what).toEqual(expected);
      expect(isSubsequence(expected, received), `every record of ${what}`).toBe(true);
      expect(isSubsequence(received, all), `file order, and nothing twice, in ${what}`).toBe(true);
      compared++;
      withRecords += Math.min(1, expected.length);
    }
    if (isCram) await compareFiltered(asked, view);
  }
});

/** Checks that a client that filters the containers it received keeps exactly the requested records. */
async function compareFiltered(questions: readonly Question[], view: readonly string[]): Promise<void> {
  const filtered = Array.from(questions.entries()).filter(([, { regions }]) =>
    regions.every(({ referenceName, start = 0, end = WHOLE }) => referenceName !== '*' && start < end),
  );
  const outputs = await runTools(
    filtered.map(([rank, { regions }]) => {
      const bed = regions.map(({ referenceName, start = 0, end = WHOLE }) => `${referenceName}\t${start}\t${end}\n`);
      writeFileSync(join(scratch, `${rank}.bed`), bed.join(''));
      return [...view, '-L', join(scratch, `${rank}.bed`), answerPath(rank)];
    }),
  );
  planned += filtered.length;
  for (const [at, [, { regions, expected }]] of filtered.entries()) {
    expect(lines(outputs[at] ?? ''), JSON.stringify(regions)).toEqual(expected);
    compared++;
    withRecords += Math.min(1, expected.length);
  }
}

/** The path of the answer to a question, for the tools. */
function answerPath(rank: number): string {
  return join(scratch, `answer-${rank}`);
}

test('thousands of answers were compared, as many as were planned, most of them with records', () => {
  expect(compared).toBe(planned);
  expect(compared).toBeGreaterThan(1500);
  expect(withRecords).toBeGreaterThan(compared / 2);
  expect(failures).toEqual([]);
});

test.skipIf(folders.length === 1)('files that others wrote were among them (HTSKIT_EXTERNAL_DATA)', () => {
  expect(cases.filter(({ isExternal }) => isExternal).length).toBeGreaterThan(10);
});

/** Requests for one region, with what the tool gives of the local file, and requests for several of those. */
async function askTools(
  answerCase: AnswerCase,
  {
    references,
    records,
    view,
  }: {
    readonly references: readonly TestReference[];
    readonly records: readonly string[];
    readonly view: readonly string[];
  },
): Promise<Question[]> {
  const regions = regionsOf(answerCase, {
    references,
    records,
    count: records.length > 0 ? RANDOM_REGIONS : REGIONS_OF_EMPTY,
  });
  const asked = regions.filter(({ start = 0, end }) => end === undefined || start < end);
  const outputs = await runTools(
    asked.map((region, rank) => [...view, ...localQuery(answerCase, region, join(scratch, `${rank}.bed`))]),
  );
  const expected = new Map(asked.map((region, rank) => [region, lines(outputs[rank] ?? '')]));
  const singles = regions.map((region) => ({
    regions: [region],
    isPost: false,
    expected: expected.get(region) ?? [],
  }));
  const random = createRandom(records.length);
  const posts = Array.from({ length: asked.length === 0 ? 0 : POSTS }, () => {
    const some = Array.from(
      { length: 2 + Math.floor(random() ** 2 * MOST_REGIONS) },
      () => asked[Math.floor(random() * asked.length)],
    );
    const chosen = some.filter((region) => region !== undefined);
    const wanted = new Set(chosen.flatMap((region) => expected.get(region) ?? []));
    return { regions: chosen, isPost: true, expected: records.filter((record) => wanted.has(record)) };
  });
  return [...singles, ...posts];
}

/** The records of the answers, which must be valid files, as the tool prints them. */
async function receive(
  { folder, id, datatype, format }: AnswerCase,
  questions: readonly Question[],
  { variant, view }: { readonly variant: Variant; readonly view: readonly string[] },
): Promise<string[][]> {
  const all = handlers.get(folder);
  if (all === undefined) throw new Error('no such folder');
  const paths: string[] = [];
  for (const [rank, question] of questions.entries()) {
    const [path, init] = toRequest(question, { path: `/${datatype}/${id}`, format });
    const bytes = await fetchAnswer(all[variant], path, init);
    // The files are small enough for `auto` to be `exact`.
    const automatic = variant === 'exact' ? await fetchAnswer(all.auto, path, init) : bytes;
    expect(Buffer.compare(automatic, bytes), `auto ${path}`).toBe(0);
    paths.push(answerPath(rank));
    writeFileSync(answerPath(rank), bytes);
  }
  if (datatype === 'reads') await runTool(['samtools', 'quickcheck', '-u', ...paths]);
  return (await runTools(paths.map((path) => [...view, path]))).map(lines);
}

function toRequest(
  { regions, isPost }: Question,
  { path, format }: { readonly path: string; readonly format: string },
): [path: string, init?: RequestInit] {
  if (isPost) {
    const headers = { 'content-type': 'application/json' };
    return [path, { method: 'POST', headers, body: JSON.stringify({ format, regions }) }];
  }
  const [{ referenceName, start, end } = { referenceName: '' }] = regions;
  const params = new URLSearchParams({ format, referenceName });
  if (start !== undefined) params.set('start', String(start));
  if (end !== undefined) params.set('end', String(end));
  return [`${path}?${params}`];
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const line of whole) if (line === part[next]) next++;
  return next === part.length;
}
