import type { Datatype } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { fixtureNames, readFixture } from '@htskit/testing';
import { createHtsgetHandler, type HtsgetOptions, type StoredFile, type StoredFormat } from '../src/index.js';
import { type Handler, PUBLIC_URL } from './read-ticket.js';

/** The names of the BAM fixtures, which are object ids. */
export const bamNames: readonly `${string}.bam`[] = fixtureNames('.bam');
export const cramNames: readonly `${string}.cram`[] = fixtureNames('.cram');
export const vcfNames: readonly `${string}.vcf.gz`[] = fixtureNames('.vcf.gz');
export const bcfNames: readonly `${string}.bcf`[] = fixtureNames('.bcf');

const FORMATS: readonly (readonly [suffix: string, format: StoredFormat, datatype: Datatype])[] = [
  ['.bam', 'BAM', 'reads'],
  ['.cram', 'CRAM', 'reads'],
  ['.vcf.gz', 'VCF', 'variants'],
  ['.bcf', 'BCF', 'variants'],
];

function kindOf(name: string): (typeof FORMATS)[number] {
  const kind = FORMATS.find(([suffix]) => name.endsWith(suffix));
  if (kind === undefined) throw new Error(`${name} is not a data file`);
  return kind;
}

const indexNames = ['.bai', '.csi', '.tbi', '.crai'].flatMap((suffix) => fixtureNames(suffix));

/** A fixture with its index, if it has one. */
export function fixtureFile(name: string): StoredFile {
  const indexName = indexNames.find((file) => file.startsWith(`${name}.`));
  return {
    format: kindOf(name)[1],
    data: memorySource(readFixture(name), { key: name, version: '1' }),
    ...(indexName !== undefined && { index: memorySource(readFixture(indexName), { key: indexName, version: '1' }) }),
  };
}

/** The path of a fixture's ticket in the stored format. */
export function fixturePathOf(name: string): string {
  const [, format, datatype] = kindOf(name);
  return `/${datatype}/${name}?format=${format}`;
}

/** A handler over all fixtures by their names, and over other objects by id. */
export function fixtureHandler(
  options: Partial<HtsgetOptions> = {},
  objects: Readonly<Record<string, readonly StoredFile[]>> = {},
): Handler {
  const names: readonly string[] = [...bamNames, ...cramNames, ...vcfNames, ...bcfNames];
  const files = new Map<string, readonly StoredFile[]>();
  const resolve = async (id: string, datatype: Datatype): Promise<readonly StoredFile[] | undefined> => {
    if (Object.hasOwn(objects, id)) return objects[id];
    if (!names.includes(id) || kindOf(id)[2] !== datatype) return undefined;
    const stored = files.get(id) ?? [fixtureFile(id)];
    files.set(id, stored);
    return stored;
  };
  const silent = { onError: () => undefined, onWarning: () => undefined };
  return createHtsgetHandler({ resolve, publicUrl: PUBLIC_URL, ...silent, ...options });
}
