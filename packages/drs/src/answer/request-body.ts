import { RequestBodyError, readJsonBody } from '@htskit/http/internal';
import { DrsError } from '../drs-error.js';

/** The body of a POST, or of OPTIONS of several objects. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** Reads a JSON object; an empty body is an object without members. Throws `DrsError` TOO_LARGE or BAD_REQUEST. */
export async function readBody(request: Request, maxBytes: number): Promise<RequestBody> {
  const text = await readText(request, maxBytes);
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new DrsError('BAD_REQUEST', 'the body is not JSON', { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DrsError('BAD_REQUEST', 'the body must be a JSON object');
  }
  return body as RequestBody;
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  try {
    return await readJsonBody(request, maxBytes);
  } catch (cause) {
    if (!(cause instanceof RequestBodyError)) throw cause;
    throw new DrsError(cause.code === 'TOO_LARGE' ? 'TOO_LARGE' : 'BAD_REQUEST', cause.message, { cause });
  }
}

/** Returns a member that is a list of strings, by default none. Throws `DrsError` BAD_REQUEST for anything else. */
export function readStrings(body: RequestBody, name: string): readonly string[] {
  const value = body[name] ?? [];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new DrsError('BAD_REQUEST', `${name} must be a list of strings`);
}

/** Returns a member that is a boolean, by default false. Throws `DrsError` BAD_REQUEST for anything else. */
export function readFlag(body: RequestBody, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw new DrsError('BAD_REQUEST', `${name} must be true or false`);
}

/** Throws `DrsError` BAD_REQUEST for an empty list, and TOO_LARGE for one that is longer than a request may have. */
export function checkCount(count: number, limit: number, name: string): void {
  if (count === 0) throw new DrsError('BAD_REQUEST', `${name} must have at least one element`);
  if (count > limit) throw new DrsError('TOO_LARGE', `${name} has ${count} elements; at most ${limit} are answered`);
}
