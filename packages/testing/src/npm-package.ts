import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The codes of npm if no registry answers. A registry without the version is an error. */
const UNREACHABLE = /npm error code (?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT)/;
const PACK = 'pack --json --ignore-scripts --fetch-retries 1 --fetch-timeout 10000'.split(' ');

/**
 * Downloads a version of an npm package, such as `igv@3.8.10`, into a folder that exists, without its dependencies. Returns the folder
 * of its files, or undefined if no package registry is reachable.
 */
export async function downloadNpmPackage(folder: string, version: string): Promise<string | undefined> {
  let listing: string;
  try {
    listing = (await run('npm', [...PACK, '--pack-destination', folder, version], { maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    if (error instanceof Error && UNREACHABLE.test(error.message)) return undefined;
    throw error;
  }
  const [{ filename }] = JSON.parse(listing) as [{ readonly filename: string }];
  await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
  return join(folder, 'package');
}
