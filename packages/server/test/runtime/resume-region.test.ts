import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { openHtsget } from '@htskit/client';
import { createHtsgetHandler } from '@htskit/htsget';
import { indexVcf } from '@htskit/indexes';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip } from '@htskit/testing';
import { beforeAll, describe, expect, test } from 'vitest';

const ENDPOINT = 'http://localhost/variants/calls';
const MiB = 2 ** 20;
const LINES = 110_000;
/** Starts and ends within a window of the index, so that both edges are filtered. */
const REGION = { referenceName: 'c', start: 5005, end: 1_090_005 };

const lines = Array.from(
  { length: LINES },
  (_, i) => `c\t${i * 10 + 1}\t.\tA\tC\t.\t.\tX=${String(i).padStart(160, 'x')}`,
);
const text = `##fileformat=VCFv4.3\n##contig=<ID=c>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n${lines.join('\n')}\n`;

type Handler = (request: Request) => Promise<Response>;

async function createHandler(): Promise<Handler> {
  const bytes = Buffer.concat([deflateBlocks(new TextEncoder().encode(text), { level: 0 }), EOF_MARKER]);
  const index = await indexVcf(new Blob([bytes]).stream());
  const file = {
    format: 'VCF',
    data: memorySource(bytes, { key: 'data', version: '1' }),
    index: memorySource(index, { key: 'index', version: '1' }),
  } as const;
  return createHtsgetHandler({ publicUrl: 'http://localhost', resolve: async () => [file] });
}

/** A connection that breaks once, after `breakAfter` bytes of blocks. */
function brokenFetch(handler: Handler, breakAfter = Number.POSITIVE_INFINITY) {
  const seen = { bytes: 0, ranges: [] as string[], isBroken: false };
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const response = await handler(request);
    if (!request.url.includes('/blocks/') || response.body === null) return response;
    const range = request.headers.get('range');
    if (range !== null) seen.ranges.push(range);
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          seen.bytes += chunk.length;
          if (seen.bytes > breakAfter && !seen.isBroken) {
            seen.isBroken = true;
            controller.error(new TypeError('terminated'));
          } else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, response);
  };
  return { fetch: fetch as typeof globalThis.fetch, seen };
}

describe('a region whose untouched middle is long', () => {
  let handler: Handler;
  let whole: Buffer;

  beforeAll(async () => {
    handler = await createHandler();
    const { stream } = await openHtsget(ENDPOINT, REGION, { fetch: brokenFetch(handler).fetch });
    whole = Buffer.from(await new Response(stream).arrayBuffer());
  });

  test('has exactly the records that overlap', () => {
    const records = Buffer.from(bgunzip(whole)).toString().split('\n').slice(3, -1);
    expect(records).toEqual(lines.slice(501, 109_001));
    expect(whole.length).toBeGreaterThan(16 * MiB);
  });

  test('continues at the byte where a connection broke', async () => {
    const { fetch, seen } = brokenFetch(handler, 12 * MiB);
    const { stream } = await openHtsget(ENDPOINT, REGION, { fetch, concurrency: 1 });
    expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(whole)).toBe(true);
    expect(seen.isBroken).toBe(true);
    expect(seen.ranges).toEqual([expect.stringMatching(/^bytes=\d{7,}-$/)]);
    expect(seen.bytes / whole.length).toBeLessThan(1.05);
  });

  test('continues in a later process at the byte where an earlier one ended', async () => {
    const first = brokenFetch(handler);
    const started = await openHtsget(ENDPOINT, REGION, { fetch: first.fetch, concurrency: 1, bytesAhead: MiB });
    const received: Uint8Array[] = [];
    let byteLength = 0;
    for await (const chunk of started.stream) {
      received.push(chunk);
      byteLength += chunk.length;
      if (byteLength > 12 * MiB) break;
    }
    const state = started.resumeState();
    expect(state.bytes).toBe(byteLength);
    const second = brokenFetch(handler);
    const resume = { state, received: new Blob(received as BlobPart[]).stream() };
    const { stream } = await openHtsget(ENDPOINT, REGION, { fetch: second.fetch, resume });
    const rest = Buffer.from(await new Response(stream).arrayBuffer());
    expect(Buffer.concat([...received, rest]).equals(whole)).toBe(true);
    expect(second.seen.bytes).toBeLessThan(1.02 * (whole.length - byteLength));
  });
});
