export {
  isHeaders,
  type PlainResponse,
  queryParameters,
  RequestBodyError,
  type RequestBodyErrorCode,
  type RequestParameters,
  readJsonBody,
  stripPrefix,
  toAsciiJson,
  toResponse,
} from './handler/request.js';
export { negotiateCoding } from './headers/content-coding.js';
export { corsHeaders, preflightHeaders } from './headers/cors.js';
export { DATA_HEADERS, withDataHeaders } from './headers/data-headers.js';
export {
  ifRangeMatches,
  isStrongEntityTag,
  matchesIfMatch,
  matchesIfNoneMatch,
  parseRangeHeader,
  toContentRange,
} from './headers/range.js';
export {
  cancelBody,
  contentLength,
  discardBody,
  isEncoded,
  parsePartialContent,
  readBody,
  readBytes,
} from './transport/body.js';
export {
  type CreateHttpError,
  HttpError,
  type HttpErrorCode,
  type HttpFailure,
} from './transport/http-error.js';
export { RetryState, readWithRetries, withRetries } from './transport/retry.js';
export {
  type HttpHeaders,
  type HttpRequest,
  isDowngrade,
  parseHttpUrl,
  prepareRequest,
  sendRequest,
} from './transport/send.js';
export { isTransientStatus, parseRetryAfter, toServerError } from './transport/server-error.js';
export {
  type AdmitAttempt,
  type AdmittedAttempt,
  createTransport,
  type Fetch,
  type RetryEvent,
  type Transport,
  type TransportOptions,
} from './transport/transport.js';
