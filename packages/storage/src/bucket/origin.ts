/** The metadata with the version of the object that an object was made of. R2 and S3 share it: one bucket may be written by both. */
export const ORIGIN_NAME = 'htskit-origin';

/** Returns a version as metadata, which consists of ASCII. */
export function encodeOrigin(version: string): string {
  return encodeURIComponent(version);
}

/** Returns the version in metadata, or undefined if there is none. */
export function decodeOrigin(text: string | null | undefined): string | undefined {
  try {
    return text === null || text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
