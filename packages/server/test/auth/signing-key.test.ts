import { expect, test } from 'vitest';
import { parseSigningKey } from '../../src/auth/parse-signing-key.js';
import { signingKey } from '../../src/auth/signing-key.js';

const bytes = Uint8Array.from({ length: 16 }, (_, rank) => rank * 16 + 15);

test.each([
  ['hex:0f1f2f3f4f5f6f7f8f9fafbfcfdfefff', bytes],
  ['hex:0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFFF', bytes],
  ['base64:Dx8vP09fb3+Pn6+/z9/v/w==', bytes],
  ['base64:Dx8vP09fb3-Pn6-_z9_v_w', bytes],
  ['utf8:0123456789:bcdef', new TextEncoder().encode('0123456789:bcdef')],
])('accepts the key %s', (text, expected) => {
  expect(Uint8Array.from(parseSigningKey(text) ?? [])).toEqual(expected);
});

test.each([
  '',
  '0f1f2f3f4f5f6f7f8f9fafbfcfdfefff',
  'hex:',
  'hex:0f1f2f3f4f5f6f7f8f9fafbfcfdfef',
  'hex:0f1f2f3f4f5f6f7f8f9fafbfcfdfefff0',
  'hex:0f1f2f3f4f5f6f7f8f9fafbfcfdfefxx',
  'base64:Dx8vP09fb3+Pn6+/z9/v',
  'base64:Dx8vP09fb3+Pn6+/z9/v/w== ',
  'base64:Dx8vP09f b3+Pn6+/z9/v/w==',
  'utf8:0123456789abcde',
  'latin1:0123456789abcdef',
  'HEX:0f1f2f3f4f5f6f7f8f9fafbfcfdfefff',
])('rejects the key %j without repeating it', (text) => {
  expect(parseSigningKey(text)).toBeUndefined();
  const { error } = signingKey.safeParse(text);
  expect(error?.issues).toEqual([expect.objectContaining({ code: 'custom' })]);
  expect(JSON.stringify(error)).not.toContain(text.slice(text.indexOf(':') + 1) || 'no key');
});
