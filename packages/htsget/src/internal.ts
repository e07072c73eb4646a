export { AccessRecorder } from './access/access-recorder.js';
export { checkPermission, type Grant, restrictRegions } from './access/permission.js';
export { checkPlainDelivery, isDeliveredPlain } from './access/plain-delivery.js';
export { type BlockClaim, peekBlockClaim, peekBlockToken } from './block-url/block-claim.js';
export { type BgzfFile, readBgzfFile } from './file/bgzf-file.js';
export { type CramFile, readCramFile } from './file/cram-file.js';
export type { PartSelection, ReadConditions } from './file/record-format.js';
export {
  availableFormats,
  cacheKey,
  checkAnswerable,
  coveragePathOf,
  toTransientError,
} from './file/stored-file.js';
export { Hooks, type ObjectName } from './hooks.js';
export { asBinning, type StoredIndex } from './load/file-format.js';
export { type HtsgetPath, parseHtsgetPath } from './path.js';
export { errorResponse, formatAllow, methodNotAllowed, toHtsgetError } from './response.js';
export { permitsSample } from './samples/select-samples.js';
