import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Returns the texts of the licences of packages, named by their folders: libraries that are bundled require a copy. */
export function licenceTexts(folders) {
  return folders.map((folder) => `${nameOf(folder)}\n\n${licenceText(folder)}`).join('\n\n');
}

function nameOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
}

function licenceText(folder) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${basename(folder)} has no licence file`);
  return readFileSync(join(folder, file), 'utf8');
}
