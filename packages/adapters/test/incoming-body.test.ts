import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { IncomingBody } from '../src/incoming-body.js';

/** A stream without end that counts how often it is read, and would not stop by itself. */
function countReads(): { readable: Readable; reads: () => number } {
  let reads = 0;
  const readable = new Readable({
    highWaterMark: 1,
    read() {
      reads += 1;
      this.push(Buffer.from('chunk'));
    },
  });
  return { readable, reads: () => reads };
}

async function turn(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await setImmediate();
}

describe('an incoming body', () => {
  test('is not read before it is asked for', async () => {
    const { readable, reads } = countReads();
    const body = new IncomingBody(readable);
    await turn(10);
    expect(reads()).toBe(0);
    body.abandon();
    readable.destroy();
  });

  test('is read a chunk at a time', async () => {
    const { readable, reads } = countReads();
    const reader = new IncomingBody(readable).stream.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('chunk');
    await turn(10);
    expect(reads()).toBeLessThan(4);
    await reader.cancel();
    readable.destroy();
  });

  test('passes on the error of the stream', async () => {
    const { readable } = countReads();
    const reader = new IncomingBody(readable).stream.getReader();
    const error = new Error('of the stream');
    readable.destroy(error);
    await expect(reader.read()).rejects.toBe(error);
  });

  test('takes a stream that is closed before its end for an error', async () => {
    const { readable } = countReads();
    const reader = new IncomingBody(readable).stream.getReader();
    readable.destroy();
    await expect(reader.read()).rejects.toThrow('Premature close');
  });

  test('of strings is read as UTF-8', async () => {
    const { stream } = new IncomingBody(Readable.from(['é', '']));
    expect(await new Response(stream).text()).toBe('é');
  });

  test('fails the reads that wait when it is abandoned, and lets the rest run out', async () => {
    const readable = new Readable({ read() {} });
    const body = new IncomingBody(readable);
    const read = body.stream.getReader().read();
    body.abandon();
    await expect(read).rejects.toMatchObject({ code: 'BODY_INTERRUPTED' });
    expect(readable.readableFlowing).toBe(true);
  });

  test('may be abandoned when it has been read', async () => {
    const body = new IncomingBody(Readable.from([Buffer.from('whole')]));
    expect(await new Response(body.stream).text()).toBe('whole');
    expect(() => body.abandon()).not.toThrow();
  });
});
