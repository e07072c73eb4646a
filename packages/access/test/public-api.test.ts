import * as api from '@htskit/access';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'AuthError',
    'jwtAuthorizer',
    'passportAuthorizer',
    'rules',
    'servicePolicy',
  ]);
});
