import { describe, expect, test } from 'vitest';
import { parseCramFileDefinition } from '../../../src/internal.js';
import { failure } from '../build-cram.js';

describe('parseCramFileDefinition', () => {
  const bytes = (...start: number[]): Uint8Array => Uint8Array.from({ length: 26 }, (_, at) => start[at] ?? at);

  test('parses the version and the file id', () => {
    const { version, fileId } = parseCramFileDefinition(bytes(0x43, 0x52, 0x41, 0x4d, 3, 1));
    expect(version).toEqual({ major: 3, minor: 1 });
    expect([...fileId]).toEqual(Array.from({ length: 20 }, (_, at) => at + 6));
  });

  test.each([
    [1, 0],
    [4, 0],
    [3, 2],
  ])('rejects CRAM %i.%i', (major, minor) => {
    const error = failure(() => parseCramFileDefinition(bytes(0x43, 0x52, 0x41, 0x4d, major, minor)));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', offset: 4 });
  });

  test('rejects other formats and incomplete definitions', () => {
    expect(failure(() => parseCramFileDefinition(bytes(0x42)))).toMatchObject({ code: 'INVALID_MAGIC' });
    expect(failure(() => parseCramFileDefinition(Uint8Array.of(0x43)))).toMatchObject({ code: 'TRUNCATED', offset: 1 });
  });
});
