import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../fixtures/', import.meta.url);

/** The absolute path of a file in `fixtures/`. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(name, FOLDER));
}

/** The bytes of a file in `fixtures/`: a fresh copy that the caller may change. */
export function readFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(name)));
}

/** What SHA256SUMS says: file name → hexadecimal SHA-256, for every generated file. */
export function fixtureChecksums(): Map<string, string> {
  const lines = readFileSync(fixturePath('SHA256SUMS'), 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** The names of the data files that end so, such as `.bam` or `.vcf.gz`, in order. */
export function fixtureNames<Suffix extends string>(suffix: Suffix): `${string}${Suffix}`[] {
  const isMatch = (name: string): name is `${string}${Suffix}` => !name.includes('/') && name.endsWith(suffix);
  return [...fixtureChecksums().keys()].filter(isMatch);
}
