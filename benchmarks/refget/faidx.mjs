// htslib's faidx, which measures itself in a separate process.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Opens a FASTA file with htslib. It caches `cachedBytes` of inflated blocks; by default, htslib caches none. */
export function faidxOf({ path: program, folder }, { path, name, cachedBytes = 0 }) {
  const run = async (starts, width, ...options) => {
    const file = join(folder, 'starts.txt');
    writeFileSync(file, starts.join('\n'));
    const { stdout } = await promisify(execFile)(program, [path, name, width, cachedBytes, file, ...options], {
      maxBuffer: 2 ** 28,
    });
    return stdout;
  };
  return {
    /** Returns the seconds per slice. */
    secondsPerSlice: async (starts, width) => Number(await run(starts, width)) / starts.length,
    /** Returns the slices in the letter case of the file. */
    bases: async (starts, width) => (await run(starts, width, '--bases')).split('\n').slice(0, -1),
  };
}
