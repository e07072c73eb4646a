/** What is told of a request: neither its URL, which may hold a signature, nor its headers. */
export interface AccessRecord {
  readonly requestId: string;
  readonly method: string;
  /** The template of its path, such as `/reads/{id}`. */
  readonly route: string;
  /** 499 where the client had gone before anything was sent. */
  readonly status: number;
  /** Of the body, as they were handed to the connection. */
  readonly bytes: number;
  readonly milliseconds: number;
  readonly outcome: Outcome;
  /** The object or sequence that was asked for. */
  readonly object?: string | undefined;
  /** Address of the client. */
  readonly client?: string | undefined;
  readonly traceId?: string | undefined;
}

/** How an exchange ended: as it should, left by the client, cut off as too slow, or refused for want of room. */
export type Outcome = 'complete' | 'aborted' | 'slow' | 'shed';

/** A line for people. */
export function formatAccess(record: AccessRecord): string {
  const { client = '-', method, route, status, bytes, milliseconds, outcome, object, requestId } = record;
  const end = outcome === 'complete' ? '' : ` ${outcome}`;
  return `${client} ${method} ${route} ${object ?? '-'} ${status}${end} ${bytes} B ${milliseconds} ms ${requestId}`;
}
