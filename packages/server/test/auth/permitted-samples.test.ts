import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permission } from '@htskit/htsget';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRulePolicy, ruleSection } from '../../src/auth/rule-section.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-rules-'));
  writeFileSync(join(folder, 'consent.txt'), 'C\r\n\nD\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function decide(...rules: readonly object[]): Promise<Permission> {
  const policy = await createRulePolicy(
    rules.map((rule) => ruleSection.parse(rule)),
    folder,
  );
  return policy(
    { token: 'x', claims: {} },
    { datatype: 'reads', id: 'a', method: 'GET', signal: new AbortController().signal },
  );
}

describe('a rule', () => {
  test.each<[object, Permission]>([
    [{ samples: ['A', 'B'] }, { regions: 'all', samples: ['A', 'B'] }],
    [{ samples: [] }, { regions: 'all', samples: [] }],
    [{ samples: { except: ['A'] } }, { regions: 'all', samples: { except: ['A'] } }],
    [{ samplesFile: 'consent.txt' }, { regions: 'all', samples: ['C', 'D'] }],
    [
      { samples: ['A'], samplesFile: 'consent.txt' },
      { regions: 'all', samples: ['A', 'C', 'D'] },
    ],
    [
      { samples: { except: ['A'] }, samplesFile: 'consent.txt' },
      { regions: 'all', samples: { except: ['A', 'C', 'D'] } },
    ],
    [
      { samples: ['A'], regions: ['chr1'] },
      { regions: [{ referenceName: 'chr1' }], samples: ['A'] },
    ],
  ])('of %j permits %j', async (rule, permission) => {
    expect(await decide(rule)).toEqual(permission);
  });

  test.each([{ samples: 'A' }, { samples: [''] }, { samples: { except: [] } }, { samples: { only: ['A'] } }])(
    'of %j is invalid',
    (rule) => {
      expect(ruleSection.safeParse(rule).success).toBe(false);
    },
  );

  test('whose file is missing names it', async () => {
    await expect(decide({ samplesFile: 'none.txt' })).rejects.toThrow(/none\.txt/);
  });
});

describe('several rules', () => {
  test('permit the samples of any of them, or all if one does', async () => {
    expect(await decide({ samples: ['A'] }, { samples: ['B'] })).toEqual({ regions: 'all', samples: ['A', 'B'] });
    expect(await decide({ samples: ['A'] }, {})).toBe('all');
  });

  test('that differ in regions and samples permit what the first one does', async () => {
    const [chr1, ofA] = [{ regions: ['chr1'] }, { samples: ['A'] }];
    expect(await decide(chr1, ofA)).toEqual({ regions: [{ referenceName: 'chr1' }] });
    expect(await decide(ofA, chr1)).toEqual({ regions: 'all', samples: ['A'] });
  });
});
