import { expect, test } from 'vitest';
import * as file from '../src/file.node.js';
import * as filehandle from '../src/filehandle.js';
import * as api from '../src/index.js';
import * as memory from '../src/memory.js';

test('every entry exports exactly these values', () => {
  expect(Object.keys(api).sort()).toEqual(['StorageError', 'startByteStream', 'toByteStream']);
  expect(Object.keys(memory)).toEqual(['memorySource']);
  expect(Object.keys(file)).toEqual(['fileSource']);
  expect(Object.keys(filehandle).sort()).toEqual(['fromBufferFilehandle', 'fromFilehandle', 'toFilehandle']);
});
