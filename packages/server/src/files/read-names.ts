import { readFile } from 'node:fs/promises';
import { ofFile } from '../errors.js';

/** Reads a list of names: one in each line that is not blank. Throws Error with the path for a file that cannot be read. */
export async function readNames(path: string): Promise<readonly string[]> {
  try {
    return (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.trim() !== '');
  } catch (error) {
    throw ofFile(path, error);
  }
}
