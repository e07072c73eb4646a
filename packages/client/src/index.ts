export type { Fetch, RetryEvent, TransportOptions } from '@htskit/http';
export {
  ClientError,
  type ClientErrorCode,
  HtsgetClientError,
  RefgetClientError,
} from './client-error.js';
export {
  type FetchTicketOptions,
  fetchTicket,
  type HtsgetDownload,
  openHtsget,
  openTicket,
  streamTicket,
} from './htsget/open-htsget.js';
export { parseTicket } from './htsget/parse-ticket.js';
export type { HtsgetClientQuery, HtsgetEndpoint } from './htsget/query.js';
export type { ReceivedBlock, ResumeState } from './htsget/resume-state.js';
export type { HtsgetProgress, ResumeOptions, StreamOptions } from './htsget/stream-options.js';
export type { RefgetCapabilities, RefgetMetadata } from './refget/documents.js';
export {
  RefgetClient,
  type RefgetClientOptions,
  type SequenceCache,
  type SequenceRequest,
} from './refget/refget-client.js';
export type { RefgetServer, SequenceInterval } from './refget/server-connection.js';
export type { ResourceAnswer } from './resource/resource-reader.js';
