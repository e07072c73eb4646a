import { expect, test } from 'vitest';
import { EOF_MARKER, inflateBlock } from '../../src/index.js';
import { endsWithEofMarker, parseBlockHeader } from '../../src/internal.js';
import { ascii, joinBytes } from '../build-block.js';

test('the marker is the 28 bytes of SAMv1 §4.1.2', () => {
  const hex = '1f8b08040000000000ff0600424302001b0003000000000000000000';
  expect(Buffer.from(EOF_MARKER).toString('hex')).toBe(hex);
});

test('the marker is an empty block', () => {
  expect(parseBlockHeader(EOF_MARKER).blockSize).toBe(28);
  expect(inflateBlock(EOF_MARKER)).toEqual(new Uint8Array(0));
});

test('a file ends with the marker only if its last 28 bytes equal it', () => {
  expect(endsWithEofMarker(EOF_MARKER)).toBe(true);
  expect(endsWithEofMarker(joinBytes([ascii('data'), EOF_MARKER]))).toBe(true);
  expect(endsWithEofMarker(joinBytes([EOF_MARKER, ascii('x')]))).toBe(false);
  expect(endsWithEofMarker(EOF_MARKER.subarray(1))).toBe(false);
  expect(endsWithEofMarker(new Uint8Array(0))).toBe(false);
});
