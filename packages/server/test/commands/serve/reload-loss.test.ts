import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLocation } from '@htskit/catalogue/internal';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLoss } from '../../../src/commands/serve/reload-loss.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of ['one', 'two', 'three']) {
    mkdirSync(join(folder, name));
    cpSync(fixturePath('reads.bam'), join(folder, name, `${name}.bam`));
  }
});

afterEach(() => rmSync(folder, { recursive: true }));

function serving(names: readonly string[], sources: readonly string[] = []): Parameters<typeof findLoss>[0] {
  const locate = (name: string) => ({ location: parseLocation(name, folder) });
  return {
    paths: [],
    objectLocations: names.map(locate),
    sequenceLocations: sources.map(locate) as never,
  };
}

test.each([
  [['one'], ['one', 'two'], undefined],
  [['one', 'two'], ['two'], undefined],
  [['one', 'two', 'three'], ['three', 'one'], undefined],
  [['one', 'two', 'three'], ['two'], 'the configuration no longer serves 2 of 3 objects'],
  [['one'], ['two'], 'the configuration no longer serves 1 of 1 objects'],
  [['one'], [], 'the configuration no longer has htsget.locations'],
  [[], [], undefined],
])('objects of %j and then of %j: %s', async (before, after, loss) => {
  expect(await findLoss(serving(before), serving(after))).toBe(loss);
});

test('all sources of sequences, and objects that cannot be listed, are a loss', async () => {
  const lost = 'the configuration no longer has refget.sources';
  expect(await findLoss(serving(['one'], ['two']), serving(['one']))).toBe(lost);
  expect(await findLoss(serving(['one', 'two']), serving(['two', 'four']))).toMatch(
    /^cannot compare the objects of the configurations: .*four/,
  );
});
