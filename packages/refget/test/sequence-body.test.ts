import { expect, test } from 'vitest';
import { type SequenceBodyOptions, toSequenceBody } from '../src/sequence-body.js';
import { frameOf } from '../src/sequence-frame.js';
import { textSequence } from './text-sequence.js';

const TEXT = 'ACGTNACGTRACGTY';
const failure = new Error('lost');

function bodyOptions(
  options: Partial<SequenceBodyOptions> = {},
): SequenceBodyOptions & { readonly reported: unknown[] } {
  const reported: unknown[] = [];
  return {
    intervals: [{ start: 0, end: TEXT.length }],
    frame: frameOf('plain', { authority: 'ga4gh', name: 'SQ.x' }),
    signal: new AbortController().signal,
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

test('bases that come in one chunk are answered as bytes', async () => {
  const sequence = textSequence(TEXT, { chunkLength: 100 });
  const body = await toSequenceBody(sequence, bodyOptions());
  expect(body).toEqual(new TextEncoder().encode(TEXT));
});

test('longer ones are read as the client reads', async () => {
  let pulls = 0;
  const sequence = textSequence(TEXT, { chunkLength: 4 });
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

test('intervals follow each other, in any frame', async () => {
  const intervals = [
    { start: 10, end: 15 },
    { start: 0, end: 3 },
  ];
  const frame = frameOf('fasta', { authority: 'ga4gh', name: 'SQ.x' });
  const sequence = textSequence(TEXT);
  const body = await toSequenceBody(sequence, bodyOptions({ intervals, frame }));
  expect(await new Response(body).text()).toBe('>SQ.x\nACGTYACG\n');
  expect(sequence.reads).toEqual(intervals);
});

test('a client that leaves ends the read, and that is no failure', async () => {
  const sequence = textSequence(TEXT);
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

test('a failure of the first read is thrown at once', async () => {
  const sequence = textSequence(TEXT, { failsAfter: 0, failure });
  const options = bodyOptions();
  await expect(toSequenceBody(sequence, options)).rejects.toBe(failure);
  expect(options.reported).toEqual([]);
});

test('a later failure breaks the body off and is reported', async () => {
  const sequence = textSequence(TEXT, { failsAfter: 4, failure });
  const options = bodyOptions();
  const reader = readerOf(await toSequenceBody(sequence, options));
  await reader.read();
  await expect(reader.read()).rejects.toBe(failure);
  expect(options.reported).toEqual([failure]);
});
