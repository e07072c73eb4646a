import { StorageError } from '@htskit/io';
import { fromHttpStatus, type RefusalOptions } from '../http/storage-failure.js';

/** Transient failures that S3 reports with other statuses (Amazon S3 API Reference, "Error responses"). */
const TRANSIENT_CODES = new Set([
  'ConditionalRequestConflict',
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
]);

const EXPIRED_CODES = new Set(['ExpiredToken', 'TokenRefreshRequired']);

/**
 * Returns the error of a refused request, by its status and the error code in its body. A success whose body reports an
 * error is transient.
 */
export function fromS3Refusal(status: number, body: string, options: RefusalOptions): StorageError {
  // Such as `NoSuchKey`. Anything else could be text that must not be repeated.
  const code = /^[A-Za-z]{1,64}$/.exec(readElement(body, 'Code') ?? '')?.[0];
  if (code === 'NoSuchBucket') return noSuchBucket(options);
  const suffix = code === undefined ? '' : `: ${code}`;
  if (status < 300 || TRANSIENT_CODES.has(code ?? '')) {
    return new StorageError('UNAVAILABLE', `the store is temporarily unavailable${suffix}`, {
      ...options,
      isTransient: true,
    });
  }
  const error = fromHttpStatus(status, options);
  if (error.code !== 'ACCESS_DENIED' && error.code !== 'UNAVAILABLE') return error;
  return new StorageError(error.code, error.message + suffix, { ...options, isTransient: error.isTransient });
}

/** Returns whether the body of a refusal says that temporary credentials have expired. */
export function isExpired(body: string): boolean {
  return EXPIRED_CODES.has(readElement(body, 'Code') ?? '');
}

/** Returns UNAVAILABLE, not NOT_FOUND: a missing bucket is a fault, a missing object is not. */
export function noSuchBucket(options: RefusalOptions): StorageError {
  return new StorageError('UNAVAILABLE', 'there is no such bucket', options);
}

/** Returns the error of a successful response that S3 would not send. */
export function unexpectedResponse(key: string): StorageError {
  return new StorageError('UNAVAILABLE', 'the store does not respond as S3 does', { key });
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Returns the texts of all elements of a name, in order. Suffices for responses of S3, whose elements have no attributes. */
export function readElements(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text = '']) => unescapeXml(text));
}

/** Returns the text of the first element of a name, or undefined if there is none. */
export function readElement(xml: string, name: string): string | undefined {
  return readElements(xml, name)[0];
}

/** Returns the keys of a page of a list. Those that are not UTF-8 are left out, since no URL of this library leads to them. */
export function readKeys(xml: string): string[] {
  const keys = readElements(xml, 'Key');
  // A store may ignore `encoding-type`. Then it does not repeat it.
  return readElement(xml, 'EncodingType') === 'url' ? keys.flatMap(decodeKey) : keys;
}

/** Decodes a key that AWS encodes as form data, with a plus sign for a space, and other stores as RFC 3986 has it. */
function decodeKey(encoded: string): string[] {
  try {
    return [decodeURIComponent(encoded.replaceAll('+', ' '))];
  } catch {
    return [];
  }
}

/** Escapes text for the content of an element. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeXml(text: string): string {
  return text.replace(/&(#x?)?(\w{1,8});/g, (reference: string, kind: string | undefined, name: string) => {
    if (kind === undefined) return ENTITIES.get(name) ?? reference;
    const code = Number(kind === '#' ? name : `0x${name}`);
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference;
  });
}
