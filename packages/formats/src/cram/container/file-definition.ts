import { FormatError } from '../../format-error.js';

/** A supported version of CRAM: 2.0, 2.1, 3.0 or 3.1. */
export interface CramVersion {
  readonly major: 2 | 3;
  readonly minor: 0 | 1;
}

/** The first 26 bytes of a CRAM file (CRAM 3.1 §6). */
export interface CramFileDefinition {
  readonly version: CramVersion;
  /** Twenty bytes that may identify the file. */
  readonly fileId: Uint8Array;
}

/** Bytes of the file definition. The first container follows. */
export const CRAM_FILE_DEFINITION_LENGTH = 26;

/** "CRAM" */
const MAGIC = Uint8Array.of(0x43, 0x52, 0x41, 0x4d);
const FILE_ID_START = 6;

/**
 * Parses the file definition that `bytes` starts with. Throws `FormatError` `INVALID_MAGIC` for another format, `UNSUPPORTED`
 * for another version of CRAM, `TRUNCATED` for fewer than 26 bytes.
 */
export function parseCramFileDefinition(bytes: Uint8Array): CramFileDefinition {
  if (MAGIC.some((byte, at) => at < bytes.length && byte !== bytes[at])) {
    throw new FormatError('INVALID_MAGIC', 'not CRAM data: expected "CRAM"', { offset: 0 });
  }
  if (bytes.length < CRAM_FILE_DEFINITION_LENGTH) {
    throw new FormatError('TRUNCATED', 'data ends within the CRAM file definition', { offset: bytes.length });
  }
  const [major, minor] = bytes.subarray(MAGIC.length);
  if ((major !== 2 && major !== 3) || (minor !== 0 && minor !== 1)) {
    const message = `CRAM ${major}.${minor} is not supported; supported versions: 2.0, 2.1, 3.0, 3.1`;
    throw new FormatError('UNSUPPORTED', message, { offset: MAGIC.length });
  }
  return { version: { major, minor }, fileId: bytes.slice(FILE_ID_START, CRAM_FILE_DEFINITION_LENGTH) };
}
