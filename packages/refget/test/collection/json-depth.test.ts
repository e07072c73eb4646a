import { expect, test } from 'vitest';
import { isDeeperThan } from '../../src/collection/json-depth.js';

test.each([
  ['', 0],
  ['1', 0],
  ['[]', 1],
  ['{"a":[1,{"b":[]}],"c":[[]]}', 4],
  ['[[],[],[]]', 2],
  ['["[[[[", "{{{{", "]"]', 1],
  [String.raw`["\"[[[", "\\", ["\\\"[["]]`, 2],
])('%s is %d deep', (text, depth) => {
  expect(isDeeperThan(text, depth)).toBe(false);
  expect(depth === 0 || isDeeperThan(text, depth - 1)).toBe(true);
});

test.each(['[', '{"a":', '[[],'])('10 million characters of %s are refused at once', (text) => {
  expect(isDeeperThan(text.repeat(1e7 / text.length), 64)).toBe(true);
});
