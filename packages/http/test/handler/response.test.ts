import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAsciiJson } from '../../src/handler/response.js';

test('escapes what is not ASCII', () => {
  expect(toAsciiJson({ name: 'Universität 🧬' })).toBe('{"name":"Universit\\u00e4t \\ud83e\\uddec"}');
});

test('is ASCII that reads back as the value', () => {
  const value = fc.object({ values: [fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean()] });
  fc.assert(
    fc.property(value, (object) => {
      const text = toAsciiJson(object);
      expect(new TextEncoder().encode(text)).toHaveLength(text.length);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});
