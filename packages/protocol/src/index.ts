export { type MediaRange, negotiateMediaType, parseAccept } from './accept.js';
export { toAsciiJson } from './ascii-json.js';
export { AUTHORITIES, type Authority, DEFAULT_AUTHORITY } from './authority.js';
export { type ByteRange, parseRangeHeader, type RangeHeader, toContentRange } from './byte-range.js';
export { corsHeaders, preflightHeaders } from './cors.js';
export { dataUri } from './data-uri.js';
export { ifRangeMatches, matchesIfNoneMatch } from './entity-tag.js';
export {
  HtsgetError,
  type HtsgetErrorBody,
  type HtsgetErrorName,
  type HtsgetErrorOptions,
  toErrorBody,
} from './htsget/error.js';
export { parseHtsgetGet } from './htsget/get-query.js';
export { parseHtsgetPost } from './htsget/post-query.js';
export {
  type Datatype,
  FIELD_NAMES,
  type FieldName,
  FORMATS,
  type HtsgetFormat,
  type HtsgetQuery,
  type HtsgetRegion,
  UNPLACED,
} from './htsget/query.js';
export type { Ticket, TicketBlock } from './htsget/ticket.js';
export {
  htsgetMediaType,
  negotiateAuthority,
  negotiateRefgetFormat,
  type RefgetFormat,
  refgetJsonMediaType,
  refgetTextMediaType,
} from './media-type.js';
export { onAbort } from './on-abort.js';
export { type PlainResponse, toResponse } from './plain-response.js';
export {
  RefgetError,
  type RefgetErrorBody,
  type RefgetErrorOptions,
  type RefgetErrorType,
  toRefgetErrorBody,
} from './refget/error.js';
export { parseSubsequence, type Subsequence } from './refget/subsequence.js';
export { RequestBodyError, type RequestBodyErrorCode, readJsonBody } from './request-body.js';
export { parseRetryAfter } from './retry-after.js';
export {
  type HtsgetServiceInfo,
  type HtsgetServiceInfoOptions,
  htsgetServiceInfo,
  type Organization,
  type RefgetServiceInfo,
  type RefgetServiceInfoOptions,
  refgetServiceInfo,
  type SeqcolServiceInfo,
  type SeqcolServiceInfoOptions,
  type ServiceInfo,
  type ServiceInfoOptions,
  seqcolServiceInfo,
} from './service-info.js';
