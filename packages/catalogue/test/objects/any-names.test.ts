import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createHtsgetHandler } from '@htskit/htsget';
import type { Datatype } from '@htskit/protocol';
import { readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { locationObjects } from '../../src/objects/bucket-objects.js';
import { folderObjects } from '../../src/objects/folder-objects.node.js';
import { OBJECT_KINDS, type ObjectCatalogue } from '../../src/objects/object-catalogue.js';
import { startBucket, type TestBucket } from './bucket.js';

const FIXTURES = { BAM: 'empty.bam', CRAM: 'empty.cram', VCF: 'empty.vcf.gz', BCF: 'empty.bcf' };

/** Characters that paths, URLs, XML, shells or file systems treat specially, and any others. */
const character = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...Array.from(' #?%+&;:=@$,!*\'"()<>[]{}|\\^`~.-_é日🧬\u0301\t\n\r\u0001\u007f\u2028')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom('a', 'Z', '0', '%41', '%2F', '%', '&amp;', '.bam', 'service-info') },
);
const segment = fc
  .array(character, { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join('').replaceAll(/[/\0]/g, '-'))
  .filter((name) => name !== '.' && name !== '..');
const stored = fc.record({
  folders: fc.array(segment, { maxLength: 2 }),
  name: fc.oneof({ weight: 9, arbitrary: segment }, { weight: 1, arbitrary: fc.constant('service-info') }),
  kind: fc.constantFrom(...OBJECT_KINDS),
});
const names = fc.uniqueArray(stored, {
  minLength: 1,
  maxLength: 12,
  selector: ({ folders, name, kind }) => [...folders, name + kind.extension].join('/'),
});

interface StoredName {
  readonly key: string;
  readonly fixture: string;
}

function toNames(values: readonly (typeof stored extends fc.Arbitrary<infer Value> ? Value : never)[]): StoredName[] {
  return values.map(({ folders, name, kind }) => ({
    key: [...folders, name + kind.extension].join('/'),
    fixture: FIXTURES[kind.format],
  }));
}

/** Returns the paths of the objects that get a ticket, of those that the names could be. */
async function pathsWithTicket(catalogue: ObjectCatalogue, stored: readonly StoredName[]): Promise<string[]> {
  const { resolve } = catalogue;
  const handler = createHtsgetHandler({ publicUrl: 'http://localhost', resolve, onError: () => undefined });
  const possible = stored.flatMap(({ key }) =>
    OBJECT_KINDS.filter(({ extension }) => key.endsWith(extension)).map(({ datatype, extension }) =>
      toPath({ datatype, id: key.slice(0, -extension.length) }),
    ),
  );
  const found = new Set<string>();
  for (const path of new Set(possible)) {
    const response = await handler(new Request(`http://localhost${path}`));
    const body = (await response.json()) as { readonly htsget: { readonly urls?: unknown } };
    if (body.htsget.urls !== undefined) found.add(path);
  }
  return [...found].sort();
}

function toPath({ datatype, id }: { readonly datatype: Datatype; readonly id: string }): string {
  return `/${datatype}/${id.split('/').map(encodeURIComponent).join('/')}`;
}

let bucket: TestBucket;
let scratch: string;
let count = 0;
beforeAll(async () => {
  bucket = await startBucket();
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(async () => {
  await bucket.server.close();
  rmSync(scratch, { recursive: true });
});

async function checkCatalogue(catalogue: ObjectCatalogue, stored: readonly StoredName[]): Promise<number> {
  const listed = (await catalogue.list()).map(toPath).sort();
  expect(listed).toEqual(await pathsWithTicket(catalogue, stored));
  await catalogue.close();
  return listed.length;
}

test('a bucket lists exactly the objects that get a ticket, whatever their keys are', async () => {
  let listed = 0;
  const property = fc.asyncProperty(names, async (values) => {
    const prefix = `run ${++count}`;
    const stored = toNames(values);
    await bucket.put(Object.fromEntries(stored.map(({ key, fixture }) => [`${prefix}/${key}`, fixture])));
    const location = { kind: 's3', bucket: bucket.server.bucket, key: prefix } as const;
    listed += await checkCatalogue(locationObjects(location, { storage: bucket.storage }), stored);
  });
  await fc.assert(property, { numRuns: volume(200) });
  expect(listed).toBeGreaterThan(volume(200));
}, 240_000);

test('a folder lists exactly the objects that get a ticket, whatever their names are', async () => {
  let listed = 0;
  const property = fc.asyncProperty(names, async (values) => {
    const folder = join(scratch, `run ${++count}`);
    mkdirSync(folder);
    const stored = toNames(values).filter(({ key, fixture }) => place(join(folder, key), fixture));
    listed += await checkCatalogue(await folderObjects(folder, { log: () => undefined }), stored);
  });
  await fc.assert(property, { numRuns: volume(200) });
  expect(listed).toBeGreaterThan(volume(200));
});

/** Copies a fixture. Returns false for a path that would need a folder where a file is. */
function place(path: string, fixture: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, readFixture(fixture), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}
