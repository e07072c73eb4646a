import { expect, test } from 'vitest';
import { stripPrefix } from '../src/index.js';

test.each([
  ['/htsget/reads/x', '/htsget', '/reads/x'],
  ['/htsget/reads/x', '/htsget/', '/reads/x'],
  ['/htsget', '/htsget', '/'],
  ['/reads/x', undefined, '/reads/x'],
  ['/reads/x', '/', '/reads/x'],
  ['/htsgetter/x', '/htsget', undefined],
  ['/reads/x', '/htsget', undefined],
])('strips from %j the prefix %j: %j', (pathname, prefix, rest) => {
  expect(stripPrefix(pathname, prefix)).toBe(rest);
});
