/** The extension that follows that of a file if it is encrypted by Crypt4GH. */
export const ENCRYPTED_EXTENSION = '.c4gh';

/** Returns whether a file is encrypted, according to its name. */
export function isEncryptedPath(path: string): boolean {
  return path.endsWith(ENCRYPTED_EXTENSION);
}

/** Returns the path of the file without encryption: `a.bam` for `a.bam.c4gh`. A plain path is returned as it is. */
export function plainPathOf(path: string): string {
  return isEncryptedPath(path) ? path.slice(0, -ENCRYPTED_EXTENSION.length) : path;
}

/** Returns the path of a companion of a file, which is encrypted if the file is: `a.bam.bai.c4gh` for `a.bam.c4gh`. */
export function companionPathOf(path: string, extension: string): string {
  return isEncryptedPath(path) ? plainPathOf(path) + extension + ENCRYPTED_EXTENSION : path + extension;
}
