import { parseRetryAfter } from '@htskit/http';
import type { ClientError, ClientErrorCode } from '../client-error.js';
import { readBytes } from './body.js';
import { isJsonObject, parseJsonObject } from './json-object.js';
import type { Transport } from './transport.js';

/** Bytes of an error's body that are read at most. */
const MAX_BODY = 65_536;
const MAX_MESSAGE = 300;
/** Statuses of failures that may pass. */
const TRANSIENT_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/** The error that an answer of the server stands for: its name and message as the body tells them, if it does. */
export async function toServerError(
  response: Response,
  transport: Transport,
  code: ClientErrorCode = 'SERVER_ERROR',
): Promise<ClientError> {
  const { status } = response;
  const body = await readBytes(response, MAX_BODY, transport).catch(() => new Uint8Array());
  transport.signal?.throwIfAborted();
  const { error, message } = parseProblem(new TextDecoder().decode(body));
  const delay = parseRetryAfter(response.headers.get('retry-after'), Date.now());
  const told = [error, message].filter((part) => part !== undefined).join(': ');
  return transport.createError(code, `the server answers with ${status}${told === '' ? '' : `, ${told}`}`, {
    status,
    error,
    isTransient: code === 'SERVER_ERROR' && TRANSIENT_STATUSES.includes(status),
    retryAfterSeconds: delay === undefined ? undefined : delay / 1000,
  });
}

interface Problem {
  readonly error: string | undefined;
  readonly message: string | undefined;
}

/** An htsget error body (htsget 1.3.1, "Error body"), or one with `type` and `message`, as of refget services. */
function parseProblem(text: string): Problem {
  const document = parseJsonObject(text) ?? {};
  const told = isJsonObject(document['htsget']) ? document['htsget'] : document;
  return { error: toText(told['error'] ?? told['type']), message: toText(told['message']) };
}

/** Without control characters, which a terminal would obey. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\p{C}/gu, ' ').slice(0, MAX_MESSAGE) : undefined;
}
