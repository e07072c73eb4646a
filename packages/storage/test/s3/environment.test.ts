import { afterEach, expect, test, vi } from 'vitest';
import { credentialsFromEnvironment } from '../../src/s3/environment.node.js';

afterEach(() => vi.unstubAllEnvs());

test('reads the credentials that are there now', () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', '');
  expect(credentialsFromEnvironment()).toEqual({
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: undefined,
  });
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  expect(credentialsFromEnvironment().sessionToken).toBe('token');
});

test('names the variable that is missing', () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  expect(() => credentialsFromEnvironment()).toThrow('the environment variable AWS_SECRET_ACCESS_KEY is not set');
});
