import { createDrsHandler } from '@htskit/drs';
import { memorySource } from '@htskit/storage/memory';
import { equal, equalBytes } from '../check.mjs';
import { files } from '../fixtures.mjs';

const bytes = files['straddle.bam'];

// workerd generates no random numbers before the first request.
let handler;
function ask(path, init = {}) {
  const data = memorySource(bytes, { key: 'reads.bam', version: '1' });
  handler ??= createDrsHandler({
    publicUrl: 'https://data.example.org',
    resolve: async (id) => (id === 'reads.bam' ? { kind: 'file', id, data } : undefined),
    authorize: ({ request }) => (request.headers.has('authorization') ? 'all' : 'unauthenticated'),
  });
  return handler(new Request(`http://localhost${path}`, init));
}

const owner = { headers: { authorization: 'Bearer owner' } };

export const checks = {
  'describes a file with its checksums': async () => {
    const found = await (await ask('/ga4gh/drs/v1/objects/reads.bam', owner)).json();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const expected = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    equal([found.size, found.checksums[0].checksum], [bytes.length, expected]);
    equal(found.checksums[1].checksum.length, 32);
  },
  'sends a range by a signed URL': async () => {
    const { url } = await (await ask('/ga4gh/drs/v1/objects/reads.bam/access/https', owner)).json();
    const { pathname, search } = new URL(url);
    const part = await ask(pathname + search, { headers: { range: 'bytes=5-9' } });
    equal(part.status, 206);
    equalBytes(new Uint8Array(await part.arrayBuffer()), bytes.subarray(5, 10));
    equal((await ask('/files/reads.bam')).status, 401);
  },
};
