import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bearer } from '@htskit/access';
import type { Permission } from '@htskit/htsget';
import { mutations, volume } from '@htskit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRulePolicy, parseBedRegions, ruleSection } from '../../src/auth/rule-section.js';

type Claims = Bearer['claims'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-rules-'));
  writeFileSync(join(folder, 'panel.bed'), 'chr2\t10\t20\nchr3\t0\t5\n');
  writeFileSync(join(folder, 'damaged.bed'), 'chr2\t10\t20\nchr3\t5\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what a bearer with some claims may see of an object. */
async function decide(rules: readonly object[], claims: Claims, path: string): Promise<Permission> {
  const parsed = rules.map((rule) => ruleSection.parse(rule));
  const [datatype = '', id = ''] = path.split(/\/(.*)/s);
  const policy = await createRulePolicy(parsed, folder);
  const request = { datatype, id, method: 'GET', signal: new AbortController().signal };
  return policy({ token: 'x', claims }, request);
}

const RULES = [
  { claims: { groups: 'curators' }, objects: ['**'] },
  { claims: { groups: 'panel' }, objects: ['reads/cohort/**'], regions: ['chr1:1001-2000', '*'] },
  { claims: { groups: 'panel' }, objects: ['*/cohort/**'], regionsFile: 'panel.bed' },
  { claims: { sub: ['alice', 'bob'], level: 3, isVerified: true }, objects: ['reads/private/*'] },
  { objects: ['variants/shared'] },
];

const panel = [
  { referenceName: 'chr2', start: 10, end: 20 },
  { referenceName: 'chr3', start: 0, end: 5 },
];
const chr1 = [{ referenceName: 'chr1', start: 1000, end: 2000 }, { referenceName: '*' }];

test.each<[string, Claims, string, Permission]>([
  ['all, by a group', { groups: ['staff', 'curators'] }, 'reads/anything/at/all', 'all'],
  ['all, by a group that is not a list', { groups: 'curators' }, 'sequence/abc', 'all'],
  ['nothing, by no group', {}, 'reads/cohort/a', 'forbidden'],
  ['nothing, by another group', { groups: ['curators2', 'curator'] }, 'reads/cohort/a', 'forbidden'],
  ['nothing, by a text that holds the group', { groups: 'staff curators' }, 'reads/cohort/a', 'forbidden'],
  ['regions of several rules', { groups: ['panel'] }, 'reads/cohort/a', { regions: [...chr1, ...panel] }],
  ['regions of the rule for the datatype', { groups: ['panel'] }, 'variants/cohort/a', { regions: panel }],
  ['nothing of other objects', { groups: ['panel'] }, 'reads/other/a', 'forbidden'],
  ['all, where another rule has regions', { groups: ['panel', 'curators'] }, 'reads/cohort/a', 'all'],
  ['all, by several claims', { sub: 'bob', level: 3, isVerified: true }, 'reads/private/a', 'all'],
  [
    'nothing, where one of several claims differs',
    { sub: 'bob', level: 4, isVerified: true },
    'reads/private/a',
    'forbidden',
  ],
  ['nothing, where one is missing', { sub: 'bob', level: 3 }, 'reads/private/a', 'forbidden'],
  [
    'nothing, where one is of another type',
    { sub: 'bob', level: '3', isVerified: true },
    'reads/private/a',
    'forbidden',
  ],
  ['nothing below what is permitted', { sub: 'bob', level: 3, isVerified: true }, 'reads/private/a/b', 'forbidden'],
  ['all, by any token', {}, 'variants/shared', 'all'],
  ['nothing of the other datatype', {}, 'reads/shared', 'forbidden'],
])('grants a bearer %s', async (_, claims, path, expected) => {
  expect(await decide(RULES, claims, path)).toEqual(expected);
});

test('returns the same frozen array of regions to every bearer of the same rules', async () => {
  const parsed = RULES.map((rule) => ruleSection.parse(rule));
  const policy = await createRulePolicy(parsed, folder);
  const ask = async (claims: Claims, datatype: string): Promise<readonly unknown[]> => {
    const request = { datatype, id: 'cohort/a', method: 'GET', signal: new AbortController().signal };
    const permission = await policy({ token: 'x', claims }, request);
    return typeof permission === 'string' || permission.regions === 'all' ? [] : permission.regions;
  };
  for (const datatype of ['reads', 'variants']) {
    const regions = await ask({ groups: ['panel'] }, datatype);
    expect(await ask({ groups: ['other', 'panel'], sub: 'x' }, datatype)).toBe(regions);
    expect(Object.isFrozen(regions)).toBe(true);
  }
});

test('grants nothing without rules', async () => {
  expect(await decide([], { groups: 'curators' }, 'reads/a')).toBe('forbidden');
});

test('applies a rule without objects to all objects', async () => {
  expect(await decide([{ claims: { sub: 'alice' } }], { sub: 'alice' }, 'reads/a')).toBe('all');
});

test.each(['toString', 'constructor'])('finds the claim %s only if the token has it', async (name) => {
  const rule = { claims: Object.fromEntries([[name, 'x']]) };
  expect(await decide([rule], {}, 'reads/a')).toBe('forbidden');
  expect(await decide([rule], JSON.parse(`{"${name}":"x"}`) as Claims, 'reads/a')).toBe('all');
});

test('permits the regions of a rule in addition to those of its file', async () => {
  const rule = { regions: ['{HLA-A*01:01}:5-6'], regionsFile: 'panel.bed' };
  const hla = { referenceName: 'HLA-A*01:01', start: 4, end: 6 };
  expect(await decide([rule], {}, 'reads/a')).toEqual({ regions: [hla, ...panel] });
});

test('names the BED file that is missing or damaged', async () => {
  await expect(decide([{ regionsFile: 'missing.bed' }], {}, 'reads/a')).rejects.toThrow(
    /missing\.bed: no such file or folder$/,
  );
  await expect(decide([{ regionsFile: 'damaged.bed' }], {}, 'reads/a')).rejects.toThrow(/damaged\.bed: line 2: /);
});

test.each([
  { objects: [] },
  { objects: ['cohort/**'] },
  { objects: ['/reads/a'] },
  { objects: ['reads'] },
  { objects: ['reads/'] },
  { regions: [] },
  { regions: ['chr1:0-5'] },
  { regions: ['chr1:9-5'] },
  { regions: ['chr1:a-b'] },
  { claims: {} },
  { claims: JSON.parse('{"__proto__":"x"}') as object },
  { claims: { groups: [] } },
  { claims: { groups: null } },
  { claims: { realm: { role: 'x' } } },
  { region: ['chr1'] },
])('rejects the rule %j', (rule) => {
  expect(ruleSection.safeParse(rule).success).toBe(false);
});

test('reads the first three columns and skips comments and headers', () => {
  const text = [
    'browser position chr1:1-100',
    'track name="panel"',
    'track',
    '# a comment',
    '',
    'chr1\t999\t2000',
    'chr1 0 10 name 0 +',
    '  ',
    'track2\t5\t6\tname\r',
    'HLA-A*01:01\t0\t1',
  ].join('\n');
  expect(parseBedRegions(text)).toEqual([
    { referenceName: 'chr1', start: 999, end: 2000 },
    { referenceName: 'chr1', start: 0, end: 10 },
    { referenceName: 'track2', start: 5, end: 6 },
    { referenceName: 'HLA-A*01:01', start: 0, end: 1 },
  ]);
});

test.each([
  'chr1',
  'chr1\t5',
  'chr1\t5\t5',
  'chr1\t6\t5',
  'chr1\t-1\t5',
  'chr1\t1.5\t5',
  'chr1\t1e3\t5000',
  'chr1\t0x1\t5',
  'chr1\t1\t9007199254740992',
  '\t1\t5',
])('names the line of %j', (line) => {
  expect(() => parseBedRegions(`chr1\t0\t1\n${line}\n`)).toThrow(/^line 2: expected a name, a start/);
});

test('rejects more regions than a request can iterate over', () => {
  const text = 'chr1\t0\t1\n'.repeat(100_000);
  expect(parseBedRegions(text)).toHaveLength(100_000);
  expect(() => parseBedRegions(`${text}chr1\t0\t1`)).toThrow('line 100001: more than 100000 regions');
});

/** Returns why a text is refused, or how many of its regions are invalid. */
function outcome(text: string): string {
  try {
    const regions = parseBedRegions(text);
    const bad = regions.filter(
      ({ referenceName, start = -1, end = -1 }) => !(referenceName && start >= 0 && end > start),
    );
    return `${bad.length} are none`;
  } catch (error) {
    return (error as Error).message.replace(/^line \d+: /, 'line: ');
  }
}

test('returns regions or names the line for damaged text', () => {
  const text = Buffer.from('# panel\nchr1\t10\t20\tname\nchr2\t30\t40\nchrX\t5\t6\n');
  const counts = { '0 are none': 0, 'line: expected a name, a start and an end greater than the start': 0 };
  for (const { bytes, description } of mutations(text, { seed: 3, count: volume(500) })) {
    const found = outcome(Buffer.from(bytes).toString()) as keyof typeof counts;
    expect(Object.keys(counts), description).toContain(found);
    counts[found]++;
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(volume(50));
});
