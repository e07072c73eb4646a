import type { HtsgetRegion } from '@htskit/protocol';
import { openReference } from '@htskit/records/internal';
import { memorySource } from '@htskit/storage/memory';
import { fixtureNames, fixturePath, readFixture } from '@htskit/testing';
import { type CoverageOptions, createCoverageHandler } from '../../src/index.js';

type StoredFile = NonNullable<Awaited<ReturnType<CoverageOptions['resolve']>>>[number];

const indexNames = ['.bai', '.csi', '.crai'].flatMap((suffix) => fixtureNames(suffix));

/** A fixture with its index. */
export function fixtureFile(name: string): StoredFile {
  const indexName = indexNames.find((file) => file.startsWith(`${name}.`)) ?? '';
  return {
    format: name.endsWith('.bam') ? 'BAM' : 'CRAM',
    data: memorySource(readFixture(name), { key: name, version: '1' }),
    index: memorySource(readFixture(indexName), { key: indexName, version: '1' }),
  };
}

export type Handler = (request: Request) => Promise<Response>;

const reference = openReference(fixturePath('genome.fa'));

/** A handler over all fixtures by their names, and over other objects by id. */
export function coverageHandler(
  options: Partial<CoverageOptions> = {},
  objects: Readonly<Record<string, readonly StoredFile[]>> = {},
): Handler {
  return createCoverageHandler({
    resolve: async (id) => {
      if (Object.hasOwn(objects, id)) return objects[id];
      return fixtureNames('.bam').includes(id as `${string}.bam`) ||
        fixtureNames('.cram').includes(id as `${string}.cram`)
        ? [fixtureFile(id)]
        : undefined;
    },
    onError: () => undefined,
    reference: async (request) => (await reference)(request),
    ...options,
  });
}

export interface CoverageJson extends Required<HtsgetRegion> {
  readonly estimated: boolean;
  readonly mean: readonly (number | null)[];
  readonly max?: readonly (number | null)[];
}

export function ask(handler: Handler, path: string, init: RequestInit = {}): Promise<Response> {
  return handler(new Request(`http://a.example${path}`, init));
}

/** Returns the bins of an answer. Throws the text of an error. */
export async function fetchBins(handler: Handler, path: string): Promise<CoverageJson> {
  const response = await ask(handler, path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as CoverageJson;
}
