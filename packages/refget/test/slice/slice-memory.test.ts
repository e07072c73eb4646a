import type { Sequence } from '@htskit/sequences';
import { expect, test } from 'vitest';
import { createCatalogue, createPlainRefgetHandler } from '../../src/index.js';
import { SliceMemory } from '../../src/slice/slice-memory.js';
import { textSequence } from '../text-sequence.js';

const TEXT = 'ACGTNACGTRACGTY'.repeat(100_000);

/** A sequence that reads into the memory that it gets, as a file does. */
function readingInto(): { readonly sequence: Sequence; readonly targets: (Uint8Array | undefined)[] } {
  const sequence = textSequence(TEXT);
  const targets: (Uint8Array | undefined)[] = [];
  const read: Sequence['read'] = async (range, options) => {
    const bases = await sequence.read(range, options);
    targets.push(options?.into);
    options?.into?.set(bases);
    return options?.into?.subarray(0, bases.length) ?? bases;
  };
  return { sequence: { ...sequence, read }, targets };
}

async function openSlices() {
  const { sequence, targets } = readingInto();
  const handler = createPlainRefgetHandler({ catalogue: createCatalogue([sequence]) });
  const slice = async (start: number, end: number) => {
    const url = `http://localhost/sequence/${sequence.metadata.sha512t24u}?start=${start}&end=${end}`;
    const response = await handler(new Request(url));
    const text = async () => new Response(response.body as BodyInit).text();
    return { ...response, text };
  };
  return { slice, targets };
}

/** Empties the memory that waits, which all handlers share. */
function takeAll(): void {
  while (new SliceMemory().take() !== undefined);
}

test('memory is used again after the response was sent, and not before', async () => {
  takeAll();
  const { slice, targets } = await openSlices();
  const first = await slice(0, 100_000);
  first.onSent?.();
  const second = await slice(100_000, 250_000);
  const third = await slice(7, 200_007);
  // The second one is still being sent.
  expect(targets.map((target) => target !== undefined)).toEqual([false, true, false]);
  expect(await second.text()).toBe(TEXT.slice(100_000, 250_000));
  expect(await third.text()).toBe(TEXT.slice(7, 200_007));
  second.onSent?.();
  second.onSent?.();
  const [fourth, fifth] = [await slice(0, 300_000), await slice(1, 300_001)];
  expect(targets[3]).toBe(targets[1]);
  expect(targets[4]).toBeUndefined();
  expect(await fourth.text()).toBe(TEXT.slice(0, 300_000));
  expect(await fifth.text()).toBe(TEXT.slice(1, 300_001));
});

test('short slices and streams take no memory', async () => {
  const { slice } = await openSlices();
  expect((await slice(0, 1000)).onSent).toBeUndefined();
  expect((await slice(0, 1_100_000)).onSent).toBeUndefined();
});

test('a limited number of buffers wait', () => {
  takeAll();
  const memories = Array.from({ length: 10 }, () => new SliceMemory());
  for (const memory of memories) memory.take();
  for (const { release } of memories) release?.();
  const waiting = memories.map(() => new SliceMemory().take()).filter((buffer) => buffer !== undefined);
  expect(waiting).toHaveLength(4);
  expect(new Set(waiting).size).toBe(4);
});
