import { FormatError } from './format-error.js';

/** The same error, of which `offset` more bytes stand in front, and `where` it was found. */
export function relocateError(error: FormatError, offset: number, where = ''): FormatError {
  const message = error.message.replace(/ \(at byte \d+\)$/, '');
  return new FormatError(error.code, where + message, { offset: offset + error.offset, cause: error });
}
