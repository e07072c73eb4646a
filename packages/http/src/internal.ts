// What the other packages of htskit share with this one. It has no stable interface.

export {
  decodePathPart,
  isHeaders,
  queryParameters,
  RequestBodyError,
  type RequestParameters,
  readJsonBody,
  stripPrefix,
  toAsciiJson,
} from './handler/request.js';
export { negotiateCoding } from './headers/content-coding.js';
export { DATA_HEADERS } from './headers/data-headers.js';
export { isStrongEntityTag, matchesIfMatch } from './headers/range.js';
export { contentLength, isEncoded } from './transport/body.js';
export { isDowngrade, parseHttpUrl, prepareRequest } from './transport/send.js';
export { isTransientStatus } from './transport/server-error.js';
export type { AdmittedAttempt } from './transport/transport.js';
