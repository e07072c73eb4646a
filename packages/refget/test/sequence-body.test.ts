import { expect, test } from 'vitest';
import { type SequenceBodyOptions, toSequenceBody } from '../src/sequence-body.js';
import { frameOf } from '../src/sequence-frame.js';
import { textSequence } from './text-sequence.js';

/** More than is answered at once. */
const TEXT = 'ACGTNACGTRACGTY'.repeat(10_000);
const CHUNK = 20_000;
const failure = new Error('lost');

function bodyOptions(
  options: Partial<SequenceBodyOptions> = {},
): SequenceBodyOptions & { readonly reported: unknown[] } {
  const reported: unknown[] = [];
  return {
    intervals: [{ start: 0, end: TEXT.length }],
    frame: frameOf('plain', { authority: 'ga4gh', name: 'SQ.x' }),
    request: new AbortController(),
    onError: (error) => reported.push(error),
    reported,
    ...options,
  };
}

/** The reader of a body that must be a stream. */
function readerOf(body: Uint8Array | ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
  if (body instanceof Uint8Array) throw new TypeError('expected a stream');
  return body.getReader();
}

test('few bases are answered as bytes', async () => {
  const sequence = textSequence(TEXT);
  const intervals = [{ start: 5, end: 65_541 }];
  const body = await toSequenceBody(sequence, bodyOptions({ intervals }));
  expect(body).toEqual(new TextEncoder().encode(TEXT.slice(5, 65_541)));
});

test('no bases are answered without a read', async () => {
  const sequence = textSequence(TEXT);
  expect(await toSequenceBody(sequence, bodyOptions({ intervals: [] }))).toEqual(new Uint8Array(0));
  expect(sequence.reads).toEqual([]);
});

test('many bases are read as the client reads', async () => {
  let pulls = 0;
  const sequence = textSequence(TEXT, { chunkLength: CHUNK });
  const counted: typeof sequence = {
    ...sequence,
    stream: (range) =>
      sequence.stream(range).pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>(
          {
            transform(chunk, controller) {
              pulls += 1;
              controller.enqueue(chunk);
            },
          },
          { highWaterMark: 1 },
          { highWaterMark: 0 },
        ),
      ),
  };
  const reader = readerOf(await toSequenceBody(counted, bodyOptions()));
  expect(pulls).toBe(1);
  await reader.read();
  await reader.read();
  expect(pulls).toBe(2);
  await reader.cancel();
});

test.each([
  ['few', 10, 3],
  ['many', 70_000, 4_000],
])('%s bases of two intervals follow each other, in any frame', async (_, start, end) => {
  const intervals = [
    { start, end: TEXT.length },
    { start: 0, end },
  ];
  const expected = TEXT.slice(start) + TEXT.slice(0, end);
  const frame = frameOf('fasta', { authority: 'ga4gh', name: 'SQ.x' });
  const sequence = textSequence(TEXT, { chunkLength: CHUNK });
  const body = await toSequenceBody(sequence, bodyOptions({ intervals, frame }));
  expect(await new Response(body as BodyInit).text()).toBe(`>SQ.x\n${expected.replace(/.{1,60}/g, '$&\n')}`);
  expect(sequence.reads).toEqual(intervals);
});

test('a client that leaves ends the read, and that is no failure', async () => {
  const sequence = textSequence(TEXT, { chunkLength: CHUNK });
  const options = bodyOptions();
  const reader = readerOf(await toSequenceBody(sequence, options));
  await reader.read();
  await reader.cancel();
  expect(sequence.cancelled).toBe(1);
  expect(options.reported).toEqual([]);
});

test('a client that leaves before it read anything ends the read', async () => {
  const sequence = textSequence(TEXT);
  const body = await toSequenceBody(sequence, bodyOptions());
  await readerOf(body).cancel();
  expect(sequence.cancelled).toBe(1);
});

test.each([
  ['few', [{ start: 0, end: 10 }]],
  ['many', [{ start: 0, end: TEXT.length }]],
])('a failure of the first read of %s bases is thrown at once', async (_, intervals) => {
  const sequence = textSequence(TEXT, { failsAfter: 0, failure });
  const options = bodyOptions({ intervals });
  await expect(toSequenceBody(sequence, options)).rejects.toBe(failure);
  expect(options.reported).toEqual([]);
});

test('a later failure breaks the body off and is reported', async () => {
  const sequence = textSequence(TEXT, { chunkLength: CHUNK, failsAfter: CHUNK, failure });
  const options = bodyOptions();
  const reader = readerOf(await toSequenceBody(sequence, options));
  await reader.read();
  await expect(reader.read()).rejects.toBe(failure);
  expect(options.reported).toEqual([failure]);
});
