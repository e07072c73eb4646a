import type { Permission } from '@htskit/protocol';
import { deferred } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { AccessRequest, Bearer } from '../src/policy.js';
import { shareDecisions } from '../src/shared-decisions.js';

const alice: Bearer = { token: 'alice', claims: {} };
const object: AccessRequest = { datatype: 'reads', id: 'a', method: 'GET', signal: new AbortController().signal };

/** A shared policy that decides when the test lets it, and the requests that it was asked about. */
function createShared() {
  const asked: AccessRequest[] = [];
  const answer = deferred<Permission>();
  const decide = shareDecisions((_, request) => {
    asked.push(request);
    return answer.promise;
  });
  return { asked, answer, decide };
}

test('decides once for requests of one token and object at the same time', async () => {
  const { asked, answer, decide } = createShared();
  const decisions = [decide(alice, object), decide(alice, { ...object }), decide(alice, object)];
  answer.resolve('all');
  expect(await Promise.all(decisions)).toEqual(['all', 'all', 'all']);
  expect(asked).toHaveLength(1);
  await decide(alice, object);
  expect(asked).toHaveLength(2);
});

test.each<[string, Partial<AccessRequest>, Partial<Bearer>]>([
  ['token', {}, { token: 'bob' }],
  ['object', { id: 'b' }, {}],
  ['datatype', { datatype: 'variants' }, {}],
  ['method', { method: 'POST' }, {}],
])('decides apart for another %s', async (_, request, bearer) => {
  const { asked, answer, decide } = createShared();
  const decisions = [decide(alice, object), decide({ ...alice, ...bearer }, { ...object, ...request })];
  answer.resolve('forbidden');
  await Promise.all(decisions);
  expect(asked).toHaveLength(2);
});

test('passes a failure to all, and decides again', async () => {
  let asked = 0;
  const decide = shareDecisions(() => {
    asked++;
    return Promise.reject(new Error('unavailable'));
  });
  const decisions = await Promise.allSettled([decide(alice, object), decide(alice, object)]);
  expect(decisions.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(decide(alice, object)).rejects.toThrow('unavailable');
  expect(asked).toBe(2);
});

test('aborts a decision once no request waits for it, and then decides again', async () => {
  const { asked, answer, decide } = createShared();
  const [first, second] = [new AbortController(), new AbortController()];
  const decisions = [first, second].map(({ signal }) => decide(alice, { ...object, signal }));
  first.abort();
  expect(asked[0]?.signal.aborted).toBe(false);
  second.abort();
  expect(asked[0]?.signal.aborted).toBe(true);
  decisions.push(decide(alice, object));
  expect(asked).toHaveLength(2);
  expect(asked[1]?.signal.aborted).toBe(false);
  answer.resolve('all');
  expect(await Promise.all(decisions)).toEqual(['all', 'all', 'all']);
});

test('aborts the decision of a request whose client has left before', async () => {
  const { asked, answer, decide } = createShared();
  const decision = decide(alice, { ...object, signal: AbortSignal.abort() });
  expect(asked[0]?.signal.aborted).toBe(true);
  answer.resolve('all');
  await decision;
});
