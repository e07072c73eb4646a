import {
  type Authority,
  HtsgetError,
  RefgetError,
  refgetJsonMediaType,
  toHtsgetErrorBody,
  toRefgetErrorBody,
} from '@htskit/protocol';
import type { Answer } from './answer.js';
import type { RouteOwner } from './route.js';

export interface RefusalInput {
  readonly owner: RouteOwner;
  readonly authority: Authority;
  /** CORS headers: a script is to see how long it should wait. */
  readonly cors: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number;
}

const MESSAGE = 'the server is busy; try again in a moment';

/** The 503 of a request for which there is no room, with the error body of its protocol. */
export function toRefusal({ owner, authority, cors, retryAfterSeconds }: RefusalInput): Answer {
  const options = { status: 503, retryAfterSeconds };
  const isRefget = owner === 'refget';
  const body = isRefget
    ? toRefgetErrorBody(new RefgetError('Service Unavailable', MESSAGE, options))
    : toHtsgetErrorBody(new HtsgetError('InternalServerError', MESSAGE, options));
  return {
    status: 503,
    headers: {
      'content-type': isRefget ? refgetJsonMediaType(authority) : 'application/json',
      'cache-control': 'no-store',
      'retry-after': String(retryAfterSeconds),
      ...cors,
    },
    body: JSON.stringify(body),
  };
}
