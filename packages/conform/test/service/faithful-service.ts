import { createCoverageHandler } from '@htskit/coverage/handler';
import { createDrsHandler, type DrsBundle, type DrsFile } from '@htskit/drs';
import { BigWigMemory, BigWigWriter } from '@htskit/formats';
import { createHtsgetHandler, type HtsgetOptions, type StoredFile } from '@htskit/htsget';
import type { Fetch } from '@htskit/http';
import type { SourceStat } from '@htskit/io';
import {
  createCatalogue,
  createCollectionCatalogue,
  createRefgetHandler,
  type RefgetOptions,
  sequenceCollection,
} from '@htskit/refget';
import { openFasta } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';

export type Handler = (request: Request) => Promise<Response>;

/** Breaks a service: answers a request by changing what the faithful service answers, or the request before it does. */
export type Fault = (request: Request, serve: Handler) => Promise<Response>;

/** The URL of the services. Nothing listens there: the probe calls the handler. */
export const SERVICE_URL = 'http://service.test';

function stored(format: StoredFile['format'], name: string, index: string): StoredFile {
  return {
    format,
    data: memorySource(readFixture(name), { key: name, version: '1' }),
    index: memorySource(readFixture(index), { key: index, version: '1' }),
  };
}

/** The objects of the service: alignments as BAM and CRAM, variants as VCF, which is converted to BCF and VCFTEXT. */
const OBJECTS: Readonly<Record<string, readonly StoredFile[]>> = {
  'reads/lab/reads 1': [
    stored('BAM', 'reads-csi.bam', 'reads-csi.bam.csi'),
    stored('CRAM', 'multiref.cram', 'multiref.cram.crai'),
  ],
  'variants/variants': [stored('VCF', 'variants.vcf.gz', 'variants.vcf.gz.tbi')],
};

function drsFile(id: string, name: string): DrsFile {
  const source = memorySource(readFixture(name), { key: name, version: '1' });
  const stat = async (): Promise<SourceStat> => ({ ...(await source.stat()), modifiedAt: Date.UTC(2026, 0, 1) });
  return {
    kind: 'file',
    id,
    data: { ...source, stat, read: source.read.bind(source), stream: source.stream.bind(source) },
  };
}

/** The objects of DRS: a bundle of a file and its index. */
const DRS_OBJECTS: Readonly<Record<string, DrsFile | DrsBundle>> = {
  'reads.bam': drsFile('reads.bam', 'reads-csi.bam'),
  'reads.bam.csi': drsFile('reads.bam.csi', 'reads-csi.bam.csi'),
  'reads/lab': {
    kind: 'bundle',
    id: 'reads/lab',
    contents: ['reads.bam', 'reads.bam.csi'].map((name) => ({ id: name, name })),
  },
};

/** Announces coverage. */
const OPEN_API = { openapi: '3.1.0', paths: { '/coverage/{id}': {} } };

/** Creates a service of coverage. Bins are computed from the files, and the bigWig has other values. */
async function createFaithfulCoverage(): Promise<Handler> {
  const target = new BigWigMemory();
  const writer = new BigWigWriter(target, { references: [{ name: 'chr1', length: 1000 }] });
  await writer.write({ referenceId: 0, length: 1, start: [0], end: [10], value: [1] });
  await writer.finish();
  const bigWig = memorySource(target.bytes.slice(), { key: 'bigWig', version: '1' });
  const resolve: HtsgetOptions['resolve'] = async (id, datatype) => OBJECTS[`${datatype}/${id}`];
  const bins = createCoverageHandler({ resolve });
  const files = createCoverageHandler({ resolve, summaries: { find: async () => bigWig } });
  return (request) => (new URL(request.url).pathname.endsWith('.bw') ? files(request) : bins(request));
}

/**
 * The ids to check the service with. `sequences` are the MD5s of a circular and a linear sequence, and other digests of two more;
 * `collections` are all sequences, and the first three of them.
 */
export const KNOWN_IDS = {
  reads: ['lab/reads 1'],
  variants: ['variants'],
  sequences: [
    'fac0f2b602dea49fc1143c52efa66460',
    'aa5baa60df89e3c8c9547e686131dee3',
    'SQ.Yr_DYa1ic23toTAqxL6GO6pMCSTHW0vZ',
    '96191c3954e982669699ad59507fca8a7dff17f2c99e73ea',
  ],
  drsObjects: ['reads/lab', 'reads.bam'],
  collections: ['gkXqZmH-_3jmm1z3MOao_tuhNIuCGnAr', 'RmmFYEYLDcU94_bjwU1u23xkbPA_jJNi'],
} as const;

/** Creates a service of refget and sequence collections that keeps every rule, those of OpenAPI included. */
async function createFaithfulRefget(options: Partial<RefgetOptions>): Promise<Handler> {
  const sequences = await openFasta({
    data: memorySource(readFixture('genome.fa'), { key: 'genome.fa', version: '1' }),
    circular: new Set(['chrM']),
    namingAuthority: 'insdc',
  });
  const collections = [await sequenceCollection(sequences), await sequenceCollection(sequences.slice(0, 3))];
  const refget = createRefgetHandler({
    catalogue: createCatalogue(sequences),
    collections: createCollectionCatalogue(collections),
    onError: () => undefined,
    ...options,
  });
  return async (request) =>
    new URL(request.url).pathname === '/openapi.json' ? Response.json(OPEN_API) : refget(request);
}

/** Creates a service of htsget, refget and sequence collections that keeps every rule. */
export async function createFaithfulService(
  options: Partial<HtsgetOptions> = {},
  refgetOptions: Partial<RefgetOptions> = {},
): Promise<Handler> {
  const htsget = createHtsgetHandler({
    publicUrl: SERVICE_URL,
    resolve: async (id, datatype) => OBJECTS[`${datatype}/${id}`],
    onError: () => undefined,
    serviceInfo: { createdAt: '2026-01-31T12:00:00Z' },
    ...options,
  });
  const refget = await createFaithfulRefget(refgetOptions);
  const drs = createDrsHandler({
    publicUrl: SERVICE_URL,
    resolve: async (id) => DRS_OBJECTS[id],
    onError: () => undefined,
  });
  const coverage = await createFaithfulCoverage();
  return async (request) => {
    if (new URL(request.url).pathname.startsWith('/coverage/')) return coverage(request);
    if (/^\/(?:ga4gh|files)\//.test(new URL(request.url).pathname)) return drs(request);
    const isHtsget = /^\/(?:reads|variants|blocks)\//.test(new URL(request.url).pathname);
    if (!isHtsget) return refget(request);
    return isHeaderWithOthers(new URL(request.url)) ? invalidInput() : withLength(await htsget(request));
  };
}

/** Parameters beside which the specification says that `class=header` SHOULD be refused. htskit ignores them for the sake of clients. */
function isHeaderWithOthers({ searchParams }: URL): boolean {
  return searchParams.get('class') === 'header' && searchParams.has('referenceName');
}

function invalidInput(): Response {
  return Response.json({ htsget: { error: 'InvalidInput', message: 'class=header with a region' } }, { status: 400 });
}

/** Adds the header with which HTTP servers send a body of unknown length. */
function withLength(answer: Response): Response {
  if (answer.headers.has('content-length')) return answer;
  const headers = new Headers(answer.headers);
  headers.set('transfer-encoding', 'chunked');
  return new Response(answer.body, { status: answer.status, headers });
}

/** Returns a `fetch` that calls a service, through a fault if there is one. */
export function fetchFrom(service: Handler, fault?: Fault): Fetch {
  return (url, init) => {
    const request = new Request(url, init);
    return fault === undefined ? service(request) : fault(request, service);
  };
}
