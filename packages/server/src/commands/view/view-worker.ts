import { workerData } from 'node:worker_threads';
import { type CramDecoder, createBamToSam, createCramDecoder } from '@htskit/formats';
import { toOwned } from '@htskit/io';
import { serveJobs } from '@htskit/io/workers';
import type { ContainerSetting, CramContainer } from '@htskit/records/internal';
import { openReferenceSearch } from '../../stored-file/reference-search.js';
import type { ViewJob, ViewWorkerData } from './view-job.js';

/**
 * The maximum number of bytes that a container takes while it is decoded as a whole. The main thread decodes longer ones, a slice
 * at a time. Ten thousand short reads take some seven million.
 */
const CONTAINER_BYTES = 2 ** 27;

const { header, cram, reference } = workerData as ViewWorkerData;
const sam = createBamToSam(header);
let decoder: Promise<CramDecoder> | undefined;

async function openDecoder(setting: ContainerSetting): Promise<CramDecoder> {
  const limits = { containerBytes: CONTAINER_BYTES };
  return createCramDecoder({ ...setting, reference: await openReferenceSearch(reference), limits });
}

async function decode({ header: container, blocks, offset }: CramContainer): Promise<Uint8Array[]> {
  if (cram === undefined) throw new TypeError('a container came without the header of its file');
  decoder ??= openDecoder(cram);
  const pieces: Uint8Array[] = [];
  for await (const piece of (await decoder).decode(blocks, { header: container, offset })) pieces.push(piece);
  return pieces;
}

serveJobs<ViewJob, Uint8Array[]>(async (job) => {
  const result = job.kind === 'text' ? sam.push(job.records).map(toOwned) : await decode(job.container);
  return { result, transfer: [...new Set(result.map(({ buffer }) => buffer as ArrayBuffer))] };
});
