import { access, constants, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@htskit/catalogue/internal';
import { sha512t24u } from '@htskit/digest';
import type { Checksum, ChecksumStore } from '@htskit/drs';
import { encodeText } from '@htskit/io';
import { describeError } from '../../errors.js';

/** Creates the folder if it does not exist. Throws Error, with the key of the configuration, if it cannot be written to. */
export async function prepareChecksumFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    throw new Error(`drs.cache: cannot write to ${path}: ${describeError(error)}`, { cause: error });
  }
}

/** Returns the store of checksums in a folder, a file for each version of a file. Several processes and replicas may share it. */
export function checksumFolder(folder: string): ChecksumStore {
  const pathOf = (key: string): string => join(folder, `${sha512t24u(encodeText(key))}.checksums.json`);
  return {
    async load(key) {
      const found: unknown = JSON.parse(await readFile(pathOf(key), 'utf8'));
      return isChecksums(found) ? found : undefined;
    },
    save: (key, checksums) => writeAtomically(pathOf(key), encodeText(JSON.stringify(checksums))),
  };
}

function isChecksums(value: unknown): value is readonly Checksum[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each: unknown) => {
      const { type, checksum } = Object(each) as { type?: unknown; checksum?: unknown };
      return typeof type === 'string' && typeof checksum === 'string' && /^[0-9a-f]+$/.test(checksum);
    })
  );
}
