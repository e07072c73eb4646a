import { expect, test } from 'vitest';
import { toRequestId } from '../../../src/runtime/gate/in-flight-request.js';

test('keeps a safe request id, and replaces an unsafe, repeated or missing one', () => {
  expect(toRequestId('01HZX-a.b:c/d+e=')).toBe('01HZX-a.b:c/d+e=');
  const made = [undefined, '', 'a b', 'ä', 'a\tb', 'a'.repeat(129), ['a', 'b']].map(toRequestId);
  for (const id of made) expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  expect(new Set(made).size).toBe(made.length);
});
