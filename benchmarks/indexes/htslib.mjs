// htslib in a process of its own, which times itself: compiled on the spot where a C compiler and its headers are.
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const compiler = process.env.CC ?? 'cc';

/** The program that `htslib-queries.c` is; undefined, and that on standard error, where it cannot be compiled. */
export function compileHtslib(folder) {
  const path = join(folder, 'htslib-queries');
  const source = fileURLToPath(new URL('htslib-queries.c', import.meta.url));
  const { status } = spawnSync(compiler, ['-O2', '-o', path, source, '-lhts'], { stdio: 'ignore' });
  if (status !== 0) {
    console.error('htslib: not measured; that needs a C compiler and the headers (Debian: libhts-dev)');
    return undefined;
  }
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return { path, folder, name: `htslib ${stdout.trim()}` };
}

/** What htslib makes of an index file, in the form of a library: `files` are the paths of the data and of the index. */
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
    /** Seconds of loading, and of asking for the regions. */
    async measure(regions) {
      const [load, all] = (await run(regions)).split(' ').map(Number);
      return { load, all };
    },
    /** The chunks of each region as a flat list of starts and ends, each a virtual offset as one number. */
    async chunks(regions) {
      const lines = (await run(regions, '--chunks')).split('\n').slice(0, -1);
      return lines.map((line) => (line === '' ? [] : line.split(' ').map(Number)));
    },
  };
}
