import { corsHeaders } from '@htskit/http';
import { importFasta } from '@htskit/sequences';
import { memoryStore } from '@htskit/storage/memory';
import { answerBytes } from './file-answer.mjs';
import { fixtureSource } from './objects.mjs';

/**
 * Answers below `/sequences` as S3 does for a bucket of that name that holds a store of sequences, as far as reading
 * needs.
 */
export function createBucket() {
  let filled;
  return async (request) => {
    filled ??= fillStore();
    const store = await filled;
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.has('list-type') && request.method === 'GET')
      return list(request, store, searchParams.get('prefix'));
    const key = decodeURIComponent(pathname.slice('/sequences/'.length));
    return answerBytes(request, await readObject(store, key));
  };
}

async function fillStore() {
  const store = memoryStore();
  const circular = new Set(['chrM']);
  await importFasta({ store, data: fixtureSource('genome.fa.gz'), namingAuthority: 'suite', circular });
  return store;
}

/** Undefined if the object does not exist. */
function readObject(store, key) {
  if (key === '') return undefined;
  return store
    .source(key)
    .read({ start: 0, end: Number.MAX_SAFE_INTEGER })
    .catch(() => undefined);
}

async function list(request, store, prefix) {
  let contents = '';
  for await (const key of store.list(prefix)) contents += `<Contents><Key>${key}</Key></Contents>`;
  const xml = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`;
  return new Response(xml, { headers: { ...corsHeaders(request), 'content-type': 'application/xml' } });
}
