import { createHash } from 'node:crypto';
import { dataUri, type Ticket } from '@htskit/protocol';
import { createRandom, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { HtsgetClientError, streamTicket } from '../../src/index.js';
import { type Answer, serve, withoutDelays } from '../listen.js';
import { sendBytes, someText } from '../resource-server.js';

const BYTES = someText(150_000);
const OTHER = BYTES.map((byte) => byte ^ 0xff);

/** Another version of the bytes; the numbers below are other faults. */
const VERSION = 8;
const NONE = -1;

type Draw = (limit: number) => number;

/** Sound, or at fault in one of several ways; `frequency` of 10 answers are at fault. */
function badAnswer(draw: Draw, { frequency, faults }: { readonly frequency: number; readonly faults: number }): Answer {
  const knowsRanges = draw(2) === 0;
  const etag = draw(2) === 0;
  return (request, response) => {
    const headers: Record<string, string> = etag ? { etag: '"1"' } : {};
    const isRangeable = knowsRanges || request.url === '/2';
    const hasLength = draw(4) > 0;
    const fault = draw(10) < frequency ? draw(faults) : NONE;
    switch (fault) {
      case 0:
        return request.socket.destroy();
      case 1:
        return response.writeHead(503, { 'retry-after': '1' }).end();
      case 2:
        return response.writeHead([302, 403, 404, 409, 416, 500][draw(6)] ?? 500).end();
      case 3:
        // A part that claims to be another one.
        return response
          .writeHead(206, { 'content-range': `bytes ${draw(9)}-99/${BYTES.length}` })
          .end(BYTES.subarray(0, 100));
      case NONE:
        return sendBytes(request, response, BYTES, { isRangeable, hasLength, headers });
      case VERSION:
        return sendBytes(request, response, OTHER, {
          isRangeable,
          hasLength,
          headers: etag ? { etag: '"2"' } : {},
          breaksAfter: draw(60_000),
        });
      default:
        return sendBytes(request, response, BYTES, { isRangeable, hasLength, headers, breaksAfter: draw(60_000) });
    }
  };
}

async function outcomeOf(
  seed: number,
  { hasMd5, faults }: { readonly hasMd5: boolean; readonly faults: number },
): Promise<string> {
  const random = createRandom(seed);
  const draw: Draw = (limit) => Math.floor(random() * limit);
  const answer = badAnswer(draw, { frequency: 1 + draw(7), faults });
  const server = await serve({ '/1': answer, '/2': answer });
  const urls = [
    { url: dataUri(BYTES.subarray(0, 16)) },
    { url: `${server.origin}/1` },
    { url: `${server.origin}/2`, headers: { Range: 'bytes=7-100006' } },
  ];
  const whole = Buffer.concat([BYTES.subarray(0, 16), BYTES, BYTES.subarray(7, 100_007)]);
  const md5 = createHash('md5').update(whole).digest('hex');
  const ticket: Ticket = { htsget: { format: 'VCFTEXT', urls, ...(hasMd5 && { md5 }) } };
  const options = { ...withoutDelays, renew: async () => ticket, splitBytes: 30_000, concurrency: 1 + draw(4), random };
  // At full speed: the order of the requests decides about the faults.
  return new Response(streamTicket(ticket, options)).arrayBuffer().then(
    (bytes) => (whole.equals(new Uint8Array(bytes)) ? 'right' : 'wrong'),
    (error: unknown) => (error instanceof HtsgetClientError ? error.code : String(error)),
  );
}

test.each([
  ['does', { hasMd5: false, faults: VERSION }],
  // Only the digest detects another version that a server sends from the first byte on.
  ['sends of several versions, with the digest of one', { hasMd5: true, faults: VERSION + 1 }],
])('whatever a server %s, the bytes are right or the client says that they are not', async (_, options) => {
  const outcomes: Record<string, number> = {};
  for (let seed = 0; seed < volume(150); seed++) {
    const outcome = await outcomeOf(seed, options);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  const { right = 0, ...errors } = outcomes;
  const codes = ['CHANGED', 'DIGEST_MISMATCH', 'EXPIRED', 'INVALID_RESPONSE', 'NETWORK', 'SERVER_ERROR', 'TRUNCATED'];
  expect(Object.keys(errors).filter((code) => !codes.includes(code))).toEqual([]);
  expect(right).toBeGreaterThan(volume(20));
  expect(Object.keys(errors).length).toBeGreaterThan(volume(2));
});
