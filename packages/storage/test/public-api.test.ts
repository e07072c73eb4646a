import { expect, test } from 'vitest';
import * as cache from '../src/cache/index.js';
import * as file from '../src/file/file-source.node.js';
import * as folder from '../src/file/folder-store.node.js';
import * as filehandle from '../src/filehandle/index.js';
import * as guard from '../src/guard/index.js';
import * as http from '../src/http/index.js';
import * as api from '../src/index.js';
import * as memory from '../src/memory.js';
import * as r2 from '../src/r2/index.js';
import * as environment from '../src/s3/environment.node.js';
import * as s3 from '../src/s3/index.js';
import * as providerChain from '../src/s3/provider-chain.node.js';

test('every entry exports exactly these values', () => {
  expect(Object.keys(api).sort()).toEqual(['StorageError', 'isObjectKey']);
  expect(Object.keys(memory).sort()).toEqual(['memorySource', 'memoryStore']);
  expect(Object.keys(file).sort()).toEqual(['FileAccess', 'fileSource']);
  expect(Object.keys(folder).sort()).toEqual(['folderStore', 'makeFolder']);
  expect(Object.keys(filehandle).sort()).toEqual(['fromBufferFilehandle', 'fromFilehandle', 'toFilehandle']);
  expect(Object.keys(guard).sort()).toEqual(['StoreGuard', 'guardedSource', 'guardedStore']);
  expect(Object.keys(http)).toEqual(['httpSource']);
  expect(Object.keys(s3).sort()).toEqual(['s3ObjectStore', 's3Source', 'toBucketUrl']);
  expect(Object.keys(r2)).toEqual(['r2ObjectStore']);
  expect(Object.keys(environment)).toEqual(['credentialsFromEnvironment']);
  expect(Object.keys(providerChain)).toEqual(['credentialsFromProviderChain']);
  expect(Object.keys(cache).sort()).toEqual(['BlockCache', 'cachedSource']);
});
