// Peers of htslib: C programs that measure themselves, compiled on the spot where a C compiler and its headers are.
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteNotMeasured } from './not-measured.mjs';

const compiler = process.env.CC ?? 'cc';

/**
 * The program in `folder` that the file at the URL `source` is, with the name of the library, which it prints when it is
 * given `--version`; undefined where it cannot be compiled, which the run says at its end.
 */
export function compileHtslib(folder, source) {
  const path = join(folder, basename(source.pathname, '.c'));
  const { status } = spawnSync(compiler, ['-O2', '-o', path, fileURLToPath(source), '-lhts'], { stdio: 'ignore' });
  if (status !== 0) {
    noteNotMeasured('htslib', 'a C compiler and its headers; Debian: libhts-dev');
    return undefined;
  }
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return { path, folder, name: `htslib ${stdout.trim()}` };
}
