// The service that every runtime runs: both protocols over fixtures, as a handler that takes a Request.
import { toHono } from '@htskit/adapters/hono';
import { createHtsgetHandler } from '@htskit/htsget';
import { corsHeaders, preflightHeaders } from '@htskit/http';
import { createCatalogue, createCollectionCatalogue, createRefgetHandler, sequenceCollection } from '@htskit/refget';
import { openFasta } from '@htskit/sequences';
import { Hono } from 'hono';
import { createBucket } from './bucket.mjs';
import { answerFile } from './file-answer.mjs';
import { createResolve, fixtureSource } from './objects.mjs';
import { createTokenIssuer } from './token-issuer.mjs';

/** The token of clients that may read the object `private`. */
const AUTHORIZATION = 'Bearer of-the-suite';

const REFGET_AREAS = ['sequence', 'collection', 'comparison', 'list', 'attribute'];

/**
 * Returns a handler for clients that reach it at `origin`:
 * - `/reads`, `/variants`, `/blocks`, `/sequence`, `/collection` and so on: the services. `private` needs the token.
 * - `/split`: htsget again, mounted by Hono, with tickets of many small blocks.
 * - `/sequences`: a bucket with a store of sequences.
 * - `/files/NAME`: a fixture. `/broken/NAME`: a fixture whose responses break off.
 * - `/jwks`, `/token?claims=`: an issuer of tokens.
 * - `/moved?status=&to=`: a redirect. `/ended?id=`: how the last block of an object ended, or null before.
 *
 * Create it with the first request, because some runtimes have no random numbers before.
 */
export function createService(origin) {
  const ended = new Map();
  const htsget = createHtsgetHandler(optionsOf({ origin, publicUrl: origin, ended }));
  const small = {
    ...optionsOf({ origin, publicUrl: `${origin}/split`, ended }),
    limits: { blockBytes: 8_000, inlineBytes: 0 },
  };
  const split = new Hono().all('/split/*', toHono(createHtsgetHandler(small)));
  // In workerd, a promise never settles after the end of the request that created it, so a request that waits for it opens this.
  let refget;
  const answerRefget = async (request) => {
    refget ??= openRefget();
    return (await refget)(request);
  };
  const routes = {
    split: (request) => split.fetch(request),
    ...Object.fromEntries(REFGET_AREAS.map((area) => [area, answerRefget])),
    sequences: createBucket(),
    files: answerFile,
    broken: answerFile,
    ...createTokenIssuer(),
    moved: redirect,
    ended: (request) => answerEnded(request, ended),
  };
  return async (request) => {
    const [, area] = new URL(request.url).pathname.split('/');
    return (routes[area] ?? htsget)(request);
  };
}

function optionsOf({ origin, publicUrl, ended }) {
  return {
    publicUrl,
    precision: 'exact',
    resolve: createResolve(origin),
    authorize: ({ request, id }) =>
      id !== 'private' || request.headers.get('authorization') === AUTHORIZATION ? 'all' : 'unauthenticated',
    onEvent: ({ type, id, isComplete, bytes }) => type === 'block' && ended.set(id, { isComplete, bytes }),
  };
}

async function openRefget() {
  const sequences = await openFasta({
    data: fixtureSource('genome.fa.gz'),
    fai: fixtureSource('genome.fa.gz.fai'),
    gzi: fixtureSource('genome.fa.gz.gzi'),
    circular: new Set(['chrM']),
    namingAuthority: 'suite',
  });
  const collections = createCollectionCatalogue([await sequenceCollection(sequences)]);
  return createRefgetHandler({ catalogue: createCatalogue(sequences), collections });
}

function redirect(request) {
  if (request.method === 'OPTIONS') {
    return new Response(null, { status: 204, headers: preflightHeaders(request, ['GET', 'POST']) });
  }
  const { searchParams } = new URL(request.url);
  const headers = { ...corsHeaders(request), location: searchParams.get('to') };
  return new Response(null, { status: Number(searchParams.get('status')), headers });
}

function answerEnded(request, ended) {
  const id = new URL(request.url).searchParams.get('id');
  return Response.json(ended.get(id) ?? null, { headers: corsHeaders(request) });
}
