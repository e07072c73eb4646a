import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';

const SCRIPT = fileURLToPath(new URL('../../../../scripts/build-lambda.mjs', import.meta.url));

/** A function as Lambda has it: the files of its zip. */
export interface UnzippedFunction {
  readonly folder: string;
  readonly zipBytes: number;
  remove(): void;
}

/** Builds the zip of `deploy/lambda`, and unpacks it to a folder of its own. */
export function unzipFunction(): UnzippedFunction {
  const scratch = mkdtempSync(join(tmpdir(), 'htskit-lambda-'));
  execFileSync(process.execPath, [SCRIPT, scratch]);
  const zip = readFileSync(join(scratch, 'htskit-lambda.zip'));
  const folder = join(scratch, 'task');
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return { folder, zipBytes: zip.length, remove: () => rmSync(scratch, { recursive: true }) };
}
