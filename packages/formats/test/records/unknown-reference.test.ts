import { expect, test } from 'vitest';
import { describeUnknownReference } from '../../src/records/unknown-reference.js';

const describe = (name: string, names: readonly string[]): string =>
  describeUnknownReference(name, { names: () => names, count: names.length });

test.each([
  ['1', ['chr1', 'chr2'], 'chr1'],
  ['chr1', ['1', '2'], '1'],
  ['CHR2', ['chr1', 'chr2'], 'chr2'],
  ['chr01', ['chr1', 'chr10'], 'chr1'],
  ['MT', ['chr1', 'chrM'], 'chrM'],
  ['chrr1', ['chr1', 'chr2'], 'chr1'],
  ['ch1', ['chr1', 'chr2'], 'chr1'],
  ['chrY_alt', ['chrX', 'chrY-alt'], 'chrY-alt'],
])('suggests for %s of %j the name %s', (name, names, expected) => {
  expect(describe(name, names)).toContain(`unknown reference "${name}"; did you mean "${expected}"?`);
});

test.each([
  ['chr99', ['chr9', 'chr1']],
  ['chr12', ['chr1', 'chr2']],
  ['scaffold', ['chr1', 'chrUn']],
])('suggests nothing for %s of %j', (name, names) => {
  expect(describe(name, names)).toBe(`unknown reference "${name}" (2 references: ${names.join(', ')})`);
});

test('lists three names, and shortens long ones', () => {
  expect(describe('x', ['a1', 'b1', 'c1', 'd1'])).toBe('unknown reference "x" (4 references: a1, b1, c1, …)');
  expect(describe('x', ['only1'])).toBe('unknown reference "x" (1 reference: only1)');
  expect(describe('x', [])).toBe('unknown reference "x"');
  expect(describe('n'.repeat(50), ['m'.repeat(50)])).toBe(
    `unknown reference "${'n'.repeat(40)}…" (1 reference: ${'m'.repeat(40)}…)`,
  );
});

test('reads only the first names of millions', () => {
  let read = 0;
  function* names(): Generator<string> {
    for (;;) {
      read += 1;
      yield `contig${read}`;
    }
  }
  expect(describeUnknownReference('1', { names, count: 5e6 })).toContain('5,000,000 references');
  expect(read).toBeLessThan(1100);
});
