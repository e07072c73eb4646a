import { fromHex, toHex } from '@htskit/io';
import { expect, test } from 'vitest';
import { bcryptPbkdf } from '../../src/keys/bcrypt-pbkdf.js';

/** Vectors of OpenBSD's bcrypt_pbkdf_test.c, and one of the bcrypt package of Python. */
const VECTORS = [
  ['70617373776f7264', '73616c74', 4, '5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9'],
  [
    '70617373706872617365',
    '000102030405060708090a0b0c0d0e0f',
    4,
    'b461bb9dd66a92396151f9607ce8fcda0adb062895139f2dfea59839d03765de',
  ],
] as const;

test.each(VECTORS)('derives a key from the passphrase %s', async (passphrase, salt, rounds, key) => {
  const derived = await bcryptPbkdf({ passphrase: fromHex(passphrase), salt: fromHex(salt), rounds });
  expect(toHex(derived)).toBe(key);
});
