import { readFile } from 'node:fs/promises';
import { type AliasRow, parseAliasTable } from '@htskit/sequences';
import { describeError } from './describe-error.js';
import { ofFile } from './describe-failure.js';

/** The rows of a table of aliases. Throws, with the path, for one that cannot be read or is malformed. */
export async function readAliasTable(path: string): Promise<AliasRow[]> {
  try {
    return parseAliasTable(await readFile(path));
  } catch (error) {
    // With its causes, which are of ours.
    throw ofFile(path, new Error(describeError(error), { cause: error }));
  }
}
