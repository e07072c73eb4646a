import type { Datatype } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { fixtureNames, readFixture } from '@htskit/testing';
import { createHtsgetHandler, type HtsgetOptions, type StoredFile } from '../src/index.js';
import { type Handler, PUBLIC_URL } from './read-ticket.js';

/** The BAM fixtures, by object id; the BAI is given where there is one. */
export const bamNames: readonly string[] = fixtureNames('.bam');

export function bamFile(name: string): StoredFile {
  const [indexName] = [...fixtureNames('.bai'), ...fixtureNames('.csi')].filter((file) => file.startsWith(`${name}.`));
  return {
    format: 'BAM',
    data: memorySource(readFixture(name), { key: name, version: '1' }),
    ...(indexName !== undefined && { index: memorySource(readFixture(indexName), { key: indexName, version: '1' }) }),
  };
}

/** A handler over the BAM fixtures, and over other objects by id. */
export function fixtureHandler(
  options: Partial<HtsgetOptions> = {},
  objects: Readonly<Record<string, readonly StoredFile[]>> = {},
): Handler {
  const files = new Map<string, readonly StoredFile[]>(bamNames.map((name) => [name, [bamFile(name)]]));
  for (const [id, stored] of Object.entries(objects)) files.set(id, stored);
  const resolve = async (id: string, datatype: Datatype): Promise<readonly StoredFile[] | undefined> =>
    datatype === 'reads' ? files.get(id) : undefined;
  return createHtsgetHandler({ resolve, publicUrl: PUBLIC_URL, ...options });
}
