import { expect, test } from 'vitest';
import { toTextResponse } from '../../../src/runtime/gate/operational-responses.js';
import { readAnyReadiness } from '../../../src/runtime/processes/readiness.js';

const ready = { readReadiness: async () => toTextResponse(200, 'ok') };
const draining = { readReadiness: async () => toTextResponse(503, 'draining') };
const silent = { readReadiness: async () => undefined };
const hung = { readReadiness: () => new Promise<undefined>(() => undefined) };

test('is ready as soon as one process is', async () => {
  expect(await readAnyReadiness([draining, hung, ready], undefined)).toMatchObject({ status: 200, body: 'ok\n' });
});

test('gives the reason of a process that is not ready', async () => {
  expect(await readAnyReadiness([silent, draining], undefined)).toMatchObject({ status: 503, body: 'draining\n' });
});

test('is not ready while no process serves, or none answers', async () => {
  for (const processes of [[], [silent]]) {
    expect(await readAnyReadiness(processes, undefined)).toMatchObject({ status: 503, body: 'no process serves\n' });
  }
});
