// A program of an embedder who compiles with `exactOptionalPropertyTypes`, against the declarations as they are published.
import { folderObjects, sequenceCatalogue } from '@htskit/catalogue/folder';
import { openHtsget } from '@htskit/client';
import { createHtsgetHandler, DeliveryWorkers, planFile, streamPlan } from '@htskit/htsget';
import { openAlignments, openVariants } from '@htskit/records';
import { createRefgetHandler } from '@htskit/refget';
import { type ServeOptions, serve } from '@htskit/server';
import { memorySource } from '@htskit/storage/memory';

const objects = await folderObjects('data', { log: () => undefined });
const sequences = await sequenceCatalogue('genome.fa', { namingAuthority: 'example' });
const workers = new DeliveryWorkers({ threads: 2 });

export const handlers: ((request: Request) => Promise<Response>)[] = [
  createHtsgetHandler({
    resolve: async (id, datatype) => objects.resolve(id, datatype),
    publicUrl: 'https://data.example.org',
    authorize: async ({ id }) => (id === 'public' ? 'all' : { regions: [{ referenceName: 'chr1', start: 0 }] }),
    limits: { regions: 10 },
    workers,
  }),
  createRefgetHandler({ catalogue: sequences, limits: { subsequence: 1000 } }),
];

export async function readAll(): Promise<string[]> {
  const file = { format: 'BAM', data: memorySource(new Uint8Array(0)) } as const;
  const plan = await planFile(file, { regions: [{ referenceName: 'chr1' }] }, { precision: 'exact' });
  for await (const _ of streamPlan(plan, file.data, { compressionLevel: 1 })) break;
  const reads = await openAlignments('reads.bam', { cacheBytes: 0 });
  const names: string[] = [];
  for await (const { name } of reads.records({ referenceName: 'chr1' }, { scan: true })) names.push(name);
  const variants = await openVariants({ htsget: 'https://data.example.org/variants/a' });
  await variants.close();
  await openHtsget('https://data.example.org/reads/a', { format: 'BAM' });
  return names;
}

export async function run(options: Omit<ServeOptions, 'port'>): Promise<void> {
  const server = await serve({ ...options, port: 0 });
  await server.close();
}
