import type { ServerResponse } from 'node:http';
import type { ObjectEntry } from '@htskit/catalogue';
import { JsonServer } from '@htskit/testing';
import { createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authSection, createAuthorization } from '../../src/auth/auth-section.js';
import { ALL_FEATURES } from '../../src/runtime/service/features.js';
import { answerOverview } from '../../src/runtime/service/overview.js';
import { type ObjectListing, VisibleObjects } from '../../src/runtime/service/visible-objects.js';

let keys: JsonServer;
let authorizer: JsonServer;
let token: string;
let visible: VisibleObjects;

beforeEach(async () => {
  const key = await createKey('1');
  token = await signToken(key, { scope: 'read:genomic_reads' });
  [keys, authorizer] = await Promise.all([JsonServer.start(keySetOf(key)), JsonServer.start({ allow: false })]);
  const section = authSection.parse({ jwt: jwtOf(keys), authorizer: { url: authorizer.url } });
  const authorize = (await createAuthorization(section)).access?.htsget;
  const entries: ObjectEntry[] = Array.from({ length: 250 }, (_, index) => ({
    id: `a${index}`,
    datatype: 'reads',
    formats: ['BAM'],
  }));
  visible = new VisibleObjects({ catalogue: { list: async () => entries }, ...(authorize && { authorize }) });
});
afterEach(async () => {
  await Promise.all([keys.stop(), authorizer.stop()]);
});

/** Requests the listing with the token. */
async function list(): Promise<ObjectListing> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  return (await (
    await answerOverview(new Request('http://a.example/', { headers }), visible, ALL_FEATURES)
  ).json()) as ObjectListing;
}

test('asks an authorizer about eight of 200 objects at once, and once about each', async () => {
  const waiting: ServerResponse[] = [];
  const counts: number[] = [];
  // Answers only when as many requests wait as a listing sends at once, so that fewer would never be answered.
  authorizer.answer = (response) => {
    waiting.push(response);
    const wanted = Math.min(8, 200 - counts.reduce((sum, count) => sum + count, 0));
    if (waiting.length < wanted) return;
    counts.push(waiting.length);
    for (const each of waiting.splice(0)) each.end('{"allow":false}');
  };
  const listings = await Promise.all([list(), list()]);
  expect(listings).toEqual([1, 2].map(() => ({ objects: [], isComplete: false })));
  expect(Math.max(...counts)).toBe(8);
  expect(authorizer.bodies).toHaveLength(200);
  expect(new Set(authorizer.bodies).size).toBe(200);
  // The decisions are cached.
  await list();
  expect(authorizer.bodies).toHaveLength(200);
});
