export { negotiateMediaType } from './accept.js';
export {
  HtsgetError,
  type HtsgetErrorBody,
  type HtsgetErrorCode,
  toHtsgetErrorBody,
} from './htsget/error.js';
export { parseHtsgetGet } from './htsget/get-query.js';
export { parseHtsgetPost } from './htsget/post-query.js';
export {
  type Datatype,
  type EncryptionScheme,
  FIELD_NAMES,
  type FieldName,
  FORMATS,
  type HtsgetFormat,
  type HtsgetQuery,
  TICKET_FORMATS,
} from './htsget/query.js';
export { type HtsgetRegion, UNPLACED } from './htsget/region.js';
export { dataUri, type Ticket, type TicketBlock, type TicketRestriction } from './htsget/ticket.js';
export {
  AUTHORITIES,
  type Authority,
  DEFAULT_AUTHORITY,
  htsgetMediaType,
  negotiateAuthority,
  negotiateRefgetFormat,
  type RefgetFormat,
  refgetJsonMediaType,
  refgetTextMediaType,
} from './media-type.js';
export type { PartialPermission, Permission, PermittedSamples } from './permission.js';
export {
  parseSubsequence,
  RefgetError,
  type RefgetErrorBody,
  type RefgetErrorCode,
  type Subsequence,
  toRefgetErrorBody,
} from './refget.js';
export {
  type DrsServiceInfo,
  drsServiceInfo,
  type HtsgetServiceInfo,
  htsgetServiceInfo,
  type RefgetServiceInfo,
  type RefgetServiceInfoOptions,
  refgetServiceInfo,
  type ServiceInfoOptions,
  seqcolServiceInfo,
} from './service-info.js';
