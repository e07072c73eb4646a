import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIELD_NAMES } from '@htskit/protocol';
import { createRandom, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getFile } from '../../../src/commands/get/local-file.js';
import { parseSelection, type WrittenSelection } from '../../../src/commands/record-selection.js';
import {
  type AnswerCase,
  cases,
  decodingWithoutReference,
  localQuery,
  referencesOf,
  regionsOf,
  type TestRegion,
  viewCommand,
} from '../../interop-files.js';
import { lines, runTool } from '../../interop-tools.js';
import { selectSam } from '../../sam-selection.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

/** Random regions of each file and format, besides those at edges. */
const RANDOM_REGIONS = 6;

let scratch = '';
let compared = 0;
let planned = 0;
let withRecords = 0;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** A region as people write it. */
function written({ referenceName, start = 0, end }: TestRegion): string {
  return referenceName === '*' ? referenceName : `{${referenceName}}:${start + 1}-${end ?? ''}`;
}

/** What is defined in the header of variants, as `bcftools annotate` calls it; the tags that records of reads have. */
async function keysOf({ path, datatype }: AnswerCase, records: readonly string[]): Promise<string[]> {
  if (datatype === 'reads') {
    const tags = records.flatMap((record) => record.split('\t').slice(11));
    return [...new Set(tags.map((tag) => tag.slice(0, 2)))];
  }
  const header = lines(await runTool(['bcftools', 'view', '-h', path]));
  return header.flatMap((line) => {
    const [, kind, key] = /^##(INFO|FORMAT)=<(?:.*,)?ID=([^,>]+)/.exec(line) ?? [];
    return kind === undefined ? [] : [`${kind}/${key}`];
  });
}

type Random = ReturnType<typeof createRandom>;

function randomSelection(datatype: AnswerCase['datatype'], keys: readonly string[], random: Random): WrittenSelection {
  const names = [...new Set(keys.map((key) => key.replace(/.*\//, '')))];
  const some = (of: readonly string[]): string => of.filter(() => random() < 0.5).join(',');
  const tags = random() < 0.5 ? { tags: some(names) } : { notags: some(names) };
  const chosen = datatype === 'reads' && random() < 0.7 ? some(FIELD_NAMES) : '';
  // htslib takes a CIGAR from the CG tag of none but placed records.
  const fields = chosen.includes('CIGAR') ? `${chosen},RNAME,POS` : chosen;
  return { ...tags, ...(fields !== '' && { fields }) };
}

/** The records that the tool prints of a local file, without what a selection leaves out. */
async function expectedOf(
  { datatype }: AnswerCase,
  {
    view,
    query,
    keys,
    selection,
  }: {
    readonly view: readonly string[];
    readonly query: readonly string[];
    readonly keys: readonly string[];
    readonly selection: WrittenSelection;
  },
): Promise<string[]> {
  const { tags, notags = [], ...rest } = parseSelection(selection);
  if (datatype === 'reads') {
    const records = lines(await runTool([...view, ...query]));
    return records.map((line) => selectSam(line, { ...rest, notags, ...(tags !== undefined && { tags }) }));
  }
  const isKept = (name: string): boolean => (tags?.includes(name) ?? true) && !notags.includes(name);
  const removed = keys.filter((key) => !isKept(key.replace(/.*\//, '')));
  const part = join(scratch, 'part.bcf');
  await runTool(['bcftools', 'view', '-Ob', '-o', part, ...query]);
  if (removed.length === 0) return lines(await runTool([...view, part]));
  const annotated = await runTool(['bcftools', 'annotate', '-x', removed.join(','), part]);
  return lines(annotated).filter((line) => !line.startsWith('#'));
}

test.each(cases)('$name: the cut equals the output of the tools', { timeout: 300_000 }, async (answerCase) => {
  const { path, format } = answerCase;
  const isCram = format === 'CRAM';
  const references = await referencesOf(answerCase);
  const view = viewCommand(answerCase, decodingWithoutReference(references, join(scratch, `${answerCase.id}.fa`)));
  const all = lines(await runTool([...view, path]));
  const keys = await keysOf(answerCase, all);
  const random = createRandom(all.length + 7);
  const regions = regionsOf(answerCase, { references, records: all, count: all.length > 0 ? RANDOM_REGIONS : 0 });
  const output = join(scratch, 'answer');
  for (const region of regions.filter(({ start = 0, end }) => end === undefined || start < end)) {
    const query = localQuery(answerCase, region, join(scratch, 'region.bed'));
    const selections = isCram ? [] : [randomSelection(answerCase.datatype, keys, random)];
    for (const selection of [{}, ...selections]) {
      planned++;
      const given = { format, regions: [written(region)], selection: parseSelection(selection), isHeaderOnly: false };
      const { signal } = new AbortController();
      await getFile(path, { ...given, precision: 'exact', output, showsProgress: false, signal });
      const expected = await expectedOf(answerCase, { view, query, keys, selection });
      const received = lines(await runTool([...view, output]));
      const kept = new Set(expected);
      // Of CRAM, whole containers come.
      expect(
        isCram ? received.filter((line) => kept.has(line)) : received,
        JSON.stringify({ region, selection }),
      ).toEqual(expected);
      compared++;
      withRecords += Math.min(1, expected.length);
    }
  }
});

test("samtools and bcftools read the command's output from a pipe", async () => {
  const command = (options: string, view: string): readonly string[] => [
    'sh',
    '-c',
    `'${process.execPath}' '${cli}' get ${options} | ${view} -`,
  ];
  const [reads, variants] = [fixturePath('reads.bam'), fixturePath('variants.bcf')];
  const part = lines(await runTool(command(`'${reads}' chr1:1,001-9,000 --notags NM`, 'samtools view')));
  expect(part).toEqual(lines(await runTool(['samtools', 'view', '-x', 'NM', reads, 'chr1:1,001-9,000'])));
  expect(part.length).toBeGreaterThan(10);
  const keys = lines(await runTool(command(`'${variants}' chr1:1-60,000 --notags DP`, 'bcftools view -H')));
  const whole = join(scratch, 'whole.bcf');
  await runTool(['bcftools', 'view', '-Ob', '-o', whole, variants, 'chr1:1-60000']);
  const annotated = lines(await runTool(['bcftools', 'annotate', '-x', 'INFO/DP', whole]));
  expect(keys).toEqual(annotated.filter((line) => !line.startsWith('#')));
  expect(keys.length).toBeGreaterThan(10);
});

test('compared hundreds of results, many of them with records', () => {
  expect(compared).toBe(planned);
  expect(compared).toBeGreaterThan(500);
  expect(withRecords).toBeGreaterThan(compared / 3);
});
