import { concatBytes } from '@htskit/io';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  framedLength,
  frameOf,
  type SequenceBodyOptions,
  SequenceFramer,
  toSequenceBody,
} from '../../src/slice/sequence-body.js';
import { textSequence } from '../text-sequence.js';

/** More bases than a body that is read at once. */
const TEXT = 'ACGTNACGTRACGTY'.repeat(100_000);
const CHUNK = 200_000;
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

/** Returns the reader of a body that must be a stream. */
function readerOf(body: Uint8Array | ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
  if (body instanceof Uint8Array) throw new TypeError('expected a stream');
  return body.getReader();
}

test('returns few bases as bytes', async () => {
  const sequence = textSequence(TEXT);
  const intervals = [{ start: 5, end: 65_541 }];
  const body = await toSequenceBody(sequence, bodyOptions({ intervals }));
  expect(body).toEqual(new TextEncoder().encode(TEXT.slice(5, 65_541)));
});

test.each([70_000, 262_144])('reads %i bases at once and ends the read when the client disconnects', async (end) => {
  const sequence = textSequence(TEXT);
  const read = vi.spyOn(sequence, 'read');
  const options = bodyOptions({ intervals: [{ start: 0, end }] });
  expect(await toSequenceBody(sequence, options)).toEqual(new TextEncoder().encode(TEXT.slice(0, end)));
  expect(read).toHaveBeenCalledExactlyOnceWith({ start: 0, end }, { signal: options.request.signal });
});

test('reads up to a megabase at once and returns it in chunks', async () => {
  const sequence = textSequence(TEXT);
  const intervals = [{ start: 1, end: 2 ** 20 + 1 }];
  const reader = readerOf(await toSequenceBody(sequence, bodyOptions({ intervals })));
  const chunks: Uint8Array[] = [];
  for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) chunks.push(value);
  expect(chunks.map(({ length }) => length)).toEqual(new Array(4).fill(2 ** 18));
  expect(new TextDecoder().decode(concatBytes(chunks))).toBe(TEXT.slice(1, 2 ** 20 + 1));
  expect(sequence.reads).toEqual(intervals);
});

test('returns no bases without a read', async () => {
  const sequence = textSequence(TEXT);
  expect(await toSequenceBody(sequence, bodyOptions({ intervals: [] }))).toEqual(new Uint8Array(0));
  expect(sequence.reads).toEqual([]);
});

test('reads many bases as the client reads', async () => {
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
  ['a megabase of', 700_000, 4_000],
  ['many', 100_000, 4_000],
])('joins %s bases of two intervals in any frame', async (_, start, end) => {
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

test('ends the read when the client disconnects, without an error', async () => {
  const sequence = textSequence(TEXT, { chunkLength: CHUNK });
  const options = bodyOptions();
  const reader = readerOf(await toSequenceBody(sequence, options));
  await reader.read();
  await reader.cancel();
  expect(sequence.cancelled).toBe(1);
  expect(options.reported).toEqual([]);
});

test('ends the read when the client disconnects before it reads', async () => {
  const sequence = textSequence(TEXT);
  const body = await toSequenceBody(sequence, bodyOptions());
  await readerOf(body).cancel();
  expect(sequence.cancelled).toBe(1);
});

test.each([
  ['few', [{ start: 0, end: 10 }]],
  ['many', [{ start: 0, end: TEXT.length }]],
])('throws a failure of the first read of %s bases at once', async (_, intervals) => {
  const sequence = textSequence(TEXT, { failsAfter: 0, failure });
  const options = bodyOptions({ intervals });
  await expect(toSequenceBody(sequence, options)).rejects.toBe(failure);
  expect(options.reported).toEqual([]);
});

test('breaks the body off and reports a later failure', async () => {
  const sequence = textSequence(TEXT, { chunkLength: CHUNK, failsAfter: CHUNK, failure });
  const options = bodyOptions();
  const reader = readerOf(await toSequenceBody(sequence, options));
  await reader.read();
  await expect(reader.read()).rejects.toBe(failure);
  expect(options.reported).toEqual([failure]);
});

const frameOptions = { authority: 'ga4gh', name: 'SQ.x' } as const;
const ascii = (text: string) => new TextEncoder().encode(text);

function frame(format: 'plain' | 'json' | 'fasta', ...chunks: string[]): string {
  const framer = new SequenceFramer(frameOf(format, frameOptions));
  const parts = chunks.map((chunk) => framer.push(ascii(chunk)));
  return new TextDecoder().decode(concatBytes([...parts, framer.finish()]));
}

test('plain text holds the bases alone', () => {
  expect(frame('plain', 'ACG', 'T')).toBe('ACGT');
  expect(frame('plain')).toBe('');
});

test('JSON holds the bases as a string', () => {
  expect(JSON.parse(frame('json', 'ACG', 'T'))).toEqual({ id: 'SQ.x', sequence: 'ACGT' });
  expect(JSON.parse(frame('json'))).toEqual({ id: 'SQ.x', sequence: '' });
});

test('FASTA has lines of 60 bases, each with a line feed', () => {
  expect(frame('fasta')).toBe('>SQ.x\n');
  expect(frame('fasta', 'ACGT')).toBe('>SQ.x\nACGT\n');
  expect(frame('fasta', 'A'.repeat(60))).toBe(`>SQ.x\n${'A'.repeat(60)}\n`);
  expect(frame('fasta', 'A'.repeat(61))).toBe(`>SQ.x\n${'A'.repeat(60)}\nA\n`);
});

test.each(['plain', 'json', 'fasta'] as const)('%s is the same for any chunks, and as long as announced', (format) => {
  fc.assert(
    fc.property(fc.array(fc.nat(150), { maxLength: 6 }), (lengths) => {
      const chunks = lengths.map((length) => 'ACGTN'.repeat(30).slice(0, length));
      const framed = frame(format, ...chunks);
      expect(framed).toBe(frame(format, chunks.join('')));
      expect(framed).toHaveLength(framedLength(frameOf(format, frameOptions), chunks.join('').length));
    }),
  );
});
