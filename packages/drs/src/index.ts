export type { PlainResponse } from '@htskit/http';
export type { ByteSource } from '@htskit/io';
export type { Authority, Permission, ServiceInfoOptions } from '@htskit/protocol';
export { type ChecksumStore, Checksums, type ChecksumsOptions } from './checksums/checksums.js';
export { DrsError, type DrsErrorCode } from './drs-error.js';
export type {
  AccessMethod,
  AccessUrl,
  Authorizations,
  Checksum,
  ContentsObject,
  DrsBundle,
  DrsFile,
  DrsObject,
  FastaIndex,
} from './drs-object.js';
export type { DrsEvent } from './events.js';
export { createDrsHandler, createPlainDrsHandler, type PlainDrsHandler } from './handler.js';
export { DEFAULT_DRS_LIMITS, type DrsLimits, type DrsOptions, type DrsResolveContext } from './options.js';
export type { DrsAuthorizeInput } from './permission.js';
