import { expect, test } from 'vitest';
import * as file from '../src/file.node.js';
import * as filehandle from '../src/filehandle.js';
import * as folder from '../src/folder.node.js';
import * as api from '../src/index.js';
import * as memory from '../src/memory.js';

test('every entry exports exactly these values', () => {
  expect(Object.keys(api).sort()).toEqual(['StorageError', 'isObjectKey', 'startByteStream', 'toByteStream']);
  expect(Object.keys(memory).sort()).toEqual(['memorySource', 'memoryStore']);
  expect(Object.keys(file)).toEqual(['fileSource']);
  expect(Object.keys(folder)).toEqual(['folderStore']);
  expect(Object.keys(filehandle).sort()).toEqual(['fromBufferFilehandle', 'fromFilehandle', 'toFilehandle']);
});
