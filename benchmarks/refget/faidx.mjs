// htslib's faidx, which times itself in a process of its own.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What htslib makes of a FASTA file. `cachedBytes` of inflated blocks are kept; htslib keeps none unless it is told to. */
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
    /** Seconds of a slice. */
    secondsPerSlice: async (starts, width) => Number(await run(starts, width)) / starts.length,
    /** As they stand in the file. */
    bases: async (starts, width) => (await run(starts, width, '--bases')).split('\n').slice(0, -1),
  };
}
