import { expect, test } from 'vitest';
import { limitResponse, limitResult, RESPONSE_LIMITS } from '../src/response-mode.js';

const { responseBytes } = RESPONSE_LIMITS.buffered;

/** A body of some chunks of a megabyte, which counts those that were read. */
function megabytes(count: number): { readonly body: ReadableStream<Uint8Array>; readCount: number } {
  const state = { readCount: 0 };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (state.readCount === count) controller.close();
    else controller.enqueue(new Uint8Array(1e6));
    if (state.readCount < count) state.readCount++;
  };
  return Object.assign(state, { body: new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }) });
}

test('a response of unknown length is read up to the limit of a buffered one', async () => {
  const long = megabytes(100);
  const refused = await limitResponse(new Response(long.body), 'buffered');
  expect([refused.status, long.readCount]).toEqual([413, 7]);
  expect(await refused.text()).toBe(
    'the response is longer than AWS Lambda returns (buffered): use presigned delivery, or a function URL that streams responses\n',
  );
  const short = await limitResponse(new Response(megabytes(6).body, { status: 206 }), 'buffered');
  expect([short.status, (await short.arrayBuffer()).byteLength]).toEqual([206, 6e6]);
});

test('a streamed response of a length that is too long is refused unread', async () => {
  const headers = { 'content-length': String(201 * 2 ** 20) };
  const long = megabytes(1);
  const refused = await limitResponse(new Response(long.body, { headers }), 'streamed');
  expect([refused.status, long.readCount]).toEqual([413, 0]);
  const unknown = new Response(megabytes(1).body);
  expect(await limitResponse(unknown, 'streamed')).toBe(unknown);
});

test('a result that is too long as JSON is replaced', () => {
  const sized = (length: number): { readonly body: string } => ({ body: 'A'.repeat(length) });
  const overhead = JSON.stringify(sized(0)).length;
  const fitting = sized(responseBytes - overhead);
  expect(limitResult(fitting)).toBe(fitting);
  expect(limitResult(sized(responseBytes - overhead + 1))).toMatchObject({ statusCode: 413, isBase64Encoded: false });
});
