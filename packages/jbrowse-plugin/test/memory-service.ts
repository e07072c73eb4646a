import { createCoverageHandler } from '@htskit/coverage/handler';
import { createHtsgetHandler, type StoredFile } from '@htskit/htsget';
import { createCatalogue, createCollectionCatalogue, createRefgetHandler, sequenceCollection } from '@htskit/refget';
import { openFasta, type Sequence } from '@htskit/sequences';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { vi } from 'vitest';

/** The URL of the services, which have no port: their handlers answer `fetch`. */
export const ORIGIN = 'https://data.example.org';

/** A request that the services answered. */
interface AnsweredRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | null;
}

export interface MemoryService {
  readonly requests: readonly AnsweredRequest[];
  /** The digest of the collection of `genome.fa`. */
  readonly digest: string;
  readonly sequences: readonly Sequence[];
}

const source = (name: string) => memorySource(readFixture(name), { key: name, version: '1' });

const OBJECTS: Readonly<Record<string, readonly StoredFile[]>> = {
  'reads/bam': [{ format: 'BAM', data: source('reads.bam'), index: source('reads.bam.bai') }],
  'reads/cram': [{ format: 'CRAM', data: source('reads.cram'), index: source('reads.cram.crai') }],
  'variants/vcf': [{ format: 'VCF', data: source('variants.vcf.gz'), index: source('variants.vcf.gz.tbi') }],
  'variants/bcf': [{ format: 'BCF', data: source('variants.bcf'), index: source('variants.bcf.csi') }],
};

/** Answers `fetch` with the services of htskit over fixtures, and with the fixtures at `/files/`, until the test ends. */
export async function serveFromMemory({ token }: { readonly token?: string } = {}): Promise<MemoryService> {
  const sequences = await openFasta({ data: source('genome.fa') });
  const collection = await sequenceCollection(sequences);
  const resolve = async (id: string, datatype: string): Promise<readonly StoredFile[] | undefined> =>
    OBJECTS[`${datatype}/${id}`];
  const htsget = createHtsgetHandler({
    publicUrl: ORIGIN,
    resolve,
    reference: async ({ md5, start, end }) =>
      sequences.find(({ metadata }) => metadata.md5 === md5)?.read({ start, end }),
    ...(token !== undefined && {
      authorize: ({ request }) =>
        request.headers.get('authorization') === `Bearer ${token}` ? 'all' : 'unauthenticated',
    }),
  });
  const coverage = createCoverageHandler({ resolve });
  const catalogue = createCatalogue(sequences);
  const refget = createRefgetHandler({ catalogue, collections: createCollectionCatalogue([collection]) });
  const requests: AnsweredRequest[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const { hostname, pathname: path, searchParams: query } = new URL(request.url);
    // What an earlier test of this process started may still ask its server.
    if (hostname === '127.0.0.1') return fetch(request);
    requests.push({ path, query, authorization: request.headers.get('authorization') });
    if (path.startsWith('/coverage/')) return coverage(request);
    if (path.startsWith('/files/')) return Promise.resolve(answerFile(request, path.slice('/files/'.length)));
    return /^\/(?:sequence|collection)\//.test(path) ? refget(request) : htsget(request);
  });
  return { requests, digest: collection.digest, sequences };
}

/** Answers with a range of a fixture, as a static web server does. */
function answerFile(request: Request, name: string): Response {
  const bytes = readFixture(name);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? [];
  const start = Number(first ?? 0);
  const end = Math.min(bytes.length, last === undefined ? bytes.length : Number(last) + 1);
  const headers = {
    etag: '"1"',
    'content-length': String(end - start),
    ...(first !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
  };
  const body = request.method === 'HEAD' ? null : new Uint8Array(bytes.subarray(start, end));
  return new Response(body, { status: first === undefined ? 200 : 206, headers });
}
