// htslib in a separate process, which measures itself.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Opens an index file with htslib, in the form of a library. `files` are the paths of the data and of the index. */
export function htslibWith({ path, folder, name }, files) {
  const written = new Map();
  const run = async (regions, ...options) => {
    if (!written.has(regions)) {
      const file = join(folder, `regions-${written.size}.txt`);
      writeFileSync(file, regions.map(({ referenceId, start, end }) => `${referenceId} ${start} ${end}\n`).join(''));
      written.set(regions, file);
    }
    const { stdout } = await promisify(execFile)(path, [files.data, files.index, written.get(regions), ...options], {
      maxBuffer: 2 ** 28,
    });
    return stdout;
  };
  return {
    name,
    /** Returns the seconds of loading and of querying the regions. */
    async measure(regions) {
      const [load, all] = (await run(regions)).split(' ').map(Number);
      return { load, all };
    },
    /** Returns the chunks of each region as a flat list of starts and ends, each a virtual offset as one number. */
    async chunks(regions) {
      const lines = (await run(regions, '--chunks')).split('\n').slice(0, -1);
      return lines.map((line) => (line === '' ? [] : line.split(' ').map(Number)));
    },
  };
}
