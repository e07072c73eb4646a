import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexBam } from '@htskit/indexes';
import { makeBamFile } from './plan/region-files.mjs';

/** Writes a BAM with its index, to be served as `/reads/NAME`. Returns the result of `makeBamFile` and the `path`. */
export async function writeBam(folder, name, options) {
  const file = makeBamFile(options);
  const path = join(folder, `${name}.bam`);
  writeFileSync(path, file.bytes);
  writeFileSync(`${path}.bai`, await indexBam([file.bytes]));
  return { ...file, path };
}
