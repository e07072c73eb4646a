import { dirname } from 'node:path';

export const MOST_FILES = 15;
export const MOST_LINES = 300;

/** Source files that may be longer, each with the reason. */
const LONG_FILES = {};

/** Folders below the sources of packages with too many files, and files that are too long: `{ path, line, message }`. */
export function checkRooms(files) {
  const findings = [];
  const folders = new Map();
  for (const { path, source } of files) {
    if (!/^packages\/[^/]+\/src\/.*\.ts$/.test(path)) continue;
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
    const lines = source.split('\n').length - 1;
    if (lines > MOST_LINES && !(path in LONG_FILES)) {
      findings.push({ path, line: MOST_LINES + 1, message: `${lines} lines; write at most ${MOST_LINES}` });
    }
  }
  for (const [path, count] of folders) {
    if (count > MOST_FILES) findings.push({ path, line: 1, message: `${count} files; write at most ${MOST_FILES}` });
  }
  return findings;
}
