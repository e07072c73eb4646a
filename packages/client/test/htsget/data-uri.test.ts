import { dataUri } from '@htskit/protocol';
import { createRandom } from '@htskit/testing';
import { expect, test } from 'vitest';
import { decodeDataUri } from '../../src/htsget/data-uri.js';

test.each([
  ['data:;base64,AAEC/w==', [0, 1, 2, 255]],
  ['data:;base64,AAEC/w', [0, 1, 2, 255]],
  ['data:application/octet-stream;charset=x;base64,AAEC%2Fw%3D%3D', [0, 1, 2, 255]],
  ['DATA:;BASE64,AAEC', [0, 1, 2]],
  ['data:;base64,', []],
  ['data:,a%00b%fF', [0x61, 0, 0x62, 0xff]],
  ['data:text/plain;charset=utf-8,a,b', [0x61, 0x2c, 0x62]],
])('%s is decoded', (uri, bytes) => {
  expect([...decodeDataUri(uri)]).toEqual(bytes);
});

test('what the protocol writes is decoded', () => {
  const random = createRandom(1);
  for (let length = 0; length < 100; length++) {
    const bytes = Uint8Array.from({ length }, () => Math.floor(random() * 256));
    expect(decodeDataUri(dataUri(bytes))).toEqual(bytes);
  }
});

test.each([
  'data:;base64',
  'data:;base64,A',
  'data:;base64,AA-_',
  'data:;base64,%4',
  'data:,%zz',
  'data:,%4',
  'data:,ä',
])('%s is refused', (uri) => {
  expect(() => decodeDataUri(uri)).toThrow(expect.objectContaining({ code: 'INVALID_TICKET' }));
});
