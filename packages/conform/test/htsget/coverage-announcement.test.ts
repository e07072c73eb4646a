import { expect, test } from 'vitest';
import { conform } from '../../src/index.js';
import { createFaithfulService, fetchFrom, KNOWN_IDS, SERVICE_URL } from '../service/faithful-service.js';
import { changeAnswer, changeJson } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';

async function outcomesWith(fault?: Mutation['break']): Promise<ReadonlySet<string>> {
  const { results } = await conform(SERVICE_URL, {
    ...KNOWN_IDS,
    fetch: fetchFrom(await createFaithfulService(), fault),
    requestsPerSecond: Number.POSITIVE_INFINITY,
    only: ['htsget.coverage.document'],
  });
  return new Set(results.map(({ outcome }) => outcome));
}

test('rules about coverage run only against a service whose OpenAPI document announces it', async () => {
  const isDocument = ({ pathname }: URL): boolean => pathname === '/openapi.json';
  expect(await outcomesWith()).toEqual(new Set(['pass']));
  expect(await outcomesWith(changeJson(isDocument, () => ({ paths: { '/reads/{id}': {} } })))).toEqual(
    new Set(['skip']),
  );
  const missing = changeAnswer(isDocument, () => new Response('', { status: 404 }));
  expect(await outcomesWith(missing)).toEqual(new Set(['skip']));
});

test('rules about coverage do not run against an object whose coverage may not be seen', async () => {
  const refused = changeAnswer(
    ({ pathname }) => pathname.startsWith('/coverage/'),
    () => new Response('', { status: 403 }),
  );
  expect(await outcomesWith(refused)).toEqual(new Set(['skip']));
});
