import { waitUntil } from 'cloudflare:workers';
import { storeObjects } from '@htskit/catalogue';
import { type CoverageSummaries, createCoverageHandler } from '@htskit/coverage/handler';
import { createHtsgetHandler, type Locate } from '@htskit/htsget';
import type { ObjectStore } from '@htskit/io';
import { createRefgetHandler, sourceCollections } from '@htskit/refget';
import { openSequenceStore } from '@htskit/sequences';
import { BlockCache } from '@htskit/storage/cache';
import { r2ObjectStore } from '@htskit/storage/r2';
import { s3ObjectStore } from '@htskit/storage/s3';
import { withCachedIndexes } from './index-cache.ts';
import { type Bindings, toBytes, toCredentials } from './settings.ts';

type Handler = (request: Request) => Promise<Response>;

const MiB = 2 ** 20;

/** The caches of an isolate, whose memory of 128 MB also holds the code and what requests in progress read. */
const MEMORY = { blocks: 16 * MiB, indexes: 24 * MiB, coverage: 12 * MiB, answers: 4 * MiB, sequences: 8 * MiB };

/** The largest index and header. Open, an index takes up to five times the memory of its file. */
const LIMITS = { indexBytes: 16 * MiB, headerBytes: 16 * MiB, sliceBytes: 16 * MiB, recordBytes: 8 * MiB };

/** Answers htsget and coverage, which share the files. */
function createFileHandlers(bindings: Bindings): { readonly htsget: Handler; readonly coverage: Handler } {
  const bucket = r2ObjectStore(bindings.BUCKET);
  const store = withCachedIndexes(bucket, { cache: caches.open('htskit-indexes'), waitUntil });
  const { resolve } = storeObjects(store, {
    prefix: bindings.OBJECTS,
    cache: new BlockCache({ maxBytes: MEMORY.blocks }),
    ...(bindings.S3_ENDPOINT !== '' && { locate: presign(bindings) }),
  });
  const exactBytes = toBytes(bindings, 'EXACT_BYTES');
  const transforms = bindings.TRANSFORMS === 'true';
  return {
    htsget: createHtsgetHandler({
      publicUrl: bindings.PUBLIC_URL,
      signingKeys: [new TextEncoder().encode(bindings.SIGNING_KEY)],
      resolve,
      precision: exactBytes === 0 ? 'chunks' : 'auto',
      conversions: transforms,
      extensions: transforms,
      limits: {
        ...LIMITS,
        exactBytes,
        blockBytes: toBytes(bindings, 'BLOCK_BYTES'),
        convertedBytes: toBytes(bindings, 'TRANSFORM_BYTES'),
        // Building an index takes too long for a request. `htskit prepare --index` writes it.
        indexedBytes: 0,
        cacheBytes: MEMORY.indexes,
      },
    }),
    coverage: createCoverageHandler({
      resolve,
      summaries: { find: findSummary },
      limits: {
        exactBytes,
        sliceBytes: LIMITS.sliceBytes,
        cacheBytes: MEMORY.coverage,
        answerBytes: MEMORY.answers,
      },
    }),
  };
}

/** Returns the bigWig that `htskit prepare --coverage` wrote beside a file, if it was made of this version. */
const findSummary: CoverageSummaries['find'] = async ({ coverage }, version) => {
  const stat = await coverage?.stat().catch(() => undefined);
  return stat?.origin !== undefined && stat.origin === version ? coverage : undefined;
};

/** Returns presigned URLs of the bucket, so that its data does not pass the Worker. */
function presign(bindings: Bindings): (key: string) => Locate {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = bindings;
  const credentials = toCredentials(bindings);
  const store = s3ObjectStore({ endpoint, bucket, region: 'auto', forcePathStyle: true, credentials });
  return (key) => {
    const source = store.source(key);
    return (range, context) => source.presign(range, context);
  };
}

async function createSequenceHandler(bucket: ObjectStore): Promise<Handler> {
  const sequences = await openSequenceStore(bucket, { cacheBytes: MEMORY.sequences });
  return createRefgetHandler({ catalogue: sequences, collections: sourceCollections(sequences.collections) });
}

/** The first segments of the paths of refget and of sequence collections. */
const SEQUENCE_AREAS = ['sequence', 'collection', 'comparison', 'list', 'attribute', 'service-info'];

let files: ReturnType<typeof createFileHandlers> | undefined;
let refget: Handler | undefined;

async function findHandler(path: string, bindings: Bindings): Promise<Handler | undefined> {
  const [, area = ''] = path.split('/');
  if (SEQUENCE_AREAS.includes(area)) {
    if (bindings.SEQUENCES === '') return undefined;
    const prefix = `${bindings.SEQUENCES.replace(/\/$/, '')}/`;
    refget ??= await createSequenceHandler(r2ObjectStore(bindings.BUCKET, { prefix }));
    return refget;
  }
  files ??= createFileHandlers(bindings);
  if (area === 'coverage') return files.coverage;
  return area === 'reads' || area === 'variants' || area === 'blocks' ? files.htsget : undefined;
}

async function answer(request: Request, bindings: Bindings): Promise<Response> {
  const handler = await findHandler(new URL(request.url).pathname, bindings);
  return handler?.(request) ?? new Response('Not Found\n', { status: 404 });
}

export default {
  fetch(request, bindings) {
    const response = answer(request, bindings);
    // Requests share what they load. A load must end although the client of the request that began it is gone: others wait for it.
    waitUntil(response.catch(() => undefined));
    return response;
  },
} satisfies ExportedHandler<Bindings>;
