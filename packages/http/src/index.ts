export { type PlainResponse, toResponse } from './handler/request.js';
export { corsHeaders, preflightHeaders } from './headers/cors.js';
export { withDataHeaders } from './headers/data-headers.js';
export { ifRangeMatches, matchesIfNoneMatch, parseRangeHeader, toContentRange } from './headers/range.js';
export { cancelBody, discardBody, parsePartialContent, readBody, readBytes } from './transport/body.js';
export { type CreateHttpError, HttpError, type HttpErrorCode, type HttpFailure } from './transport/http-error.js';
export { readWithRetries, withRetries } from './transport/retry.js';
export { type HttpHeaders, type HttpRequest, sendRequest } from './transport/send.js';
export { toServerError } from './transport/server-error.js';
export {
  type AdmitAttempt,
  createTransport,
  type Fetch,
  type RetryEvent,
  type Transport,
  type TransportOptions,
} from './transport/transport.js';
