import { createMd5 } from '@htskit/digest';
import { concatBytes, toHex } from '@htskit/io';
import { decodeBam, readFixture } from '@htskit/testing';
import { createFaithfulService, type Handler } from './faithful-service.js';
import { type KeptService, once } from './mutation-table.js';
import { fetchBlocks, isTicketPath, type TicketDocument } from './ticket-faults.js';

const TOKEN = 'good';

/** Adds to a ticket what htskit leaves out: the MD5 of the blocks, and a Range for each block. */
function withDetails(serve: Handler): Handler {
  return async (request) => {
    const answer = await serve(request);
    if (!isTicketPath(new URL(request.url)) || answer.status !== 200 || request.method === 'OPTIONS') return answer;
    const { htsget } = (await answer.json()) as { readonly htsget: TicketDocument };
    const blocks = await fetchBlocks(serve, htsget);
    const hasher = createMd5();
    hasher.update(concatBytes(blocks));
    const urls = htsget.urls.map((block, index) =>
      block.url.startsWith('data:')
        ? block
        : { ...block, headers: { Range: `bytes=0-${(blocks[index]?.length ?? 0) - 1}` } },
    );
    const text = JSON.stringify({ htsget: { ...htsget, urls, md5: toHex(hasher.digest()) } });
    const headers = new Headers(answer.headers);
    headers.set('content-length', String(text.length));
    return new Response(text, { headers });
  };
}

/** A service that needs a token, and the options of a run that knows the token and the file. */
export const GUARDED: KeptService = {
  name: 'the guarded service',
  create: once(async () =>
    withDetails(
      await createFaithfulService({
        authorize: ({ request }) =>
          request.headers.get('authorization') === `Bearer ${TOKEN}` ? 'all' : 'unauthenticated',
      }),
    ),
  ),
  options: {
    token: TOKEN,
    truth: readFixture('reads-csi.bam'),
    async judge(format, bytes) {
      try {
        if (format === 'BAM') decodeBam(bytes);
        return undefined;
      } catch (error) {
        return String(error);
      }
    },
  },
};
