import { expect, test } from 'vitest';
import { createRareLog, failureLog, guard } from '../../src/runtime/background.js';

test('logs each kind of message once in a minute, with the number of those left out', () => {
  const messages: string[] = [];
  let now = 0;
  const log = createRareLog(
    (message) => messages.push(message),
    () => now,
  );
  for (now of [0, 1, 59_999]) log('a', `a at ${now}`);
  log('b', 'b');
  now = 60_000;
  log('a', 'a again');
  now = 120_000;
  log('a', 'a at last');
  expect(messages).toEqual(['a at 0', 'b', 'a again (2 more since the last message)', 'a at last']);
});

test('reports what work throws or rejects with, and continues', async () => {
  const messages: string[] = [];
  const log = createRareLog((message) => messages.push(message));
  guard(
    (text: string) => {
      throw new Error(text);
    },
    failureLog('one', log),
  )('thrown');
  guard(async () => Promise.reject(new Error('rejected')), failureLog('two', log))();
  guard(
    () => {
      throw new Error('any');
    },
    () => {
      throw new Error('a failing log');
    },
  )();
  await new Promise((resolve) => setImmediate(resolve));
  expect(messages).toEqual(['one failed: thrown', 'two failed: rejected']);
});
