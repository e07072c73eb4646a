/**
 * UNKNOWN_FORMAT: the file is not of a format that the function reads. MISSING_INDEX: a region needs an index, and there is
 * none. UNKNOWN_REFERENCE: a region names a reference that the file does not have. AMBIGUOUS_REFERENCE: it names one that the file
 * declares more than once. UNKNOWN_SAMPLE: the file does not have a sample. INVALID_REGION: the ends of a region are not integers 0 ≤ start ≤ end. UNSUPPORTED_SOURCE: the source cannot be opened here, such as a path in a browser.
 */
export type RecordsErrorCode =
  | 'UNKNOWN_FORMAT'
  | 'MISSING_INDEX'
  | 'UNKNOWN_REFERENCE'
  | 'AMBIGUOUS_REFERENCE'
  | 'UNKNOWN_SAMPLE'
  | 'INVALID_REGION'
  | 'UNSUPPORTED_SOURCE';

/** A request that a file cannot answer. The message contains no path or URL. */
export class RecordsError extends Error {
  override readonly name = 'RecordsError';
  readonly code: RecordsErrorCode;

  constructor(code: RecordsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the error of a file that has none of the expected formats. */
export function unknownFormat(expected: readonly { readonly name: string }[], found = 'something else'): RecordsError {
  const names = expected.map(({ name }) => (name === 'VCF' ? 'bgzipped VCF' : name));
  const choice = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
  return new RecordsError('UNKNOWN_FORMAT', `expected ${choice}, found ${found}`);
}
