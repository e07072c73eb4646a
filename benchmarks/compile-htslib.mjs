// Peers that use htslib: C programs that measure themselves. They are compiled if a C compiler and the headers are
// installed. The variable HTSLIB is the folder of another htslib than the system's, as its Makefile leaves it.
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteNotMeasured } from './not-measured.mjs';

const { CC: compiler = 'cc', HTSLIB } = process.env;

/**
 * Compiles the C file at the URL `source` into `folder`. Returns the program with the name of the library, which it
 * prints for `--version`, or undefined if it cannot be compiled; the run reports that at its end.
 */
export function compileHtslib(folder, source) {
  const path = join(folder, basename(source.pathname, '.c'));
  const folders = HTSLIB === undefined ? [] : [`-I${HTSLIB}`, `-L${HTSLIB}`, `-Wl,-rpath,${HTSLIB}`];
  const args = ['-O2', '-o', path, fileURLToPath(source), ...folders, '-lhts'];
  const { status } = spawnSync(compiler, args, { stdio: 'ignore' });
  if (status !== 0) {
    noteNotMeasured('htslib', 'a C compiler and its headers; Debian: libhts-dev');
    return undefined;
  }
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return { path, folder, name: `htslib ${stdout.trim()}` };
}
