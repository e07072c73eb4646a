import { type StoreFinding, verifyStore } from '@htskit/sequences';
import { ofFile } from '../../errors.js';
import { toObjectStore } from '../../stored-file/object-store.js';

/** Verifies a store and prints the problems. The process then exits with 1 if there are any. */
export async function refgetVerify(path: string, isJson: boolean, signal: AbortSignal): Promise<void> {
  const findings: StoreFinding[] = [];
  const onFinding = (finding: StoreFinding): void => {
    if (isJson) findings.push(finding);
    else process.stdout.write(`${finding.key}\t${finding.problem}\n`);
  };
  const summary = await verifyStore(toObjectStore(path), { signal, onFinding }).catch((error: unknown) => {
    throw ofFile(path, error);
  });
  if (isJson) process.stdout.write(`${JSON.stringify({ ...summary, findings }, null, 2)}\n`);
  const { sequences, bases, aliases, collections, incomplete, abandoned } = summary;
  log(`valid: ${sequences} sequences with ${bases} bases, ${aliases} aliases, ${collections} collections`);
  for (const file of abandoned) log(`abandoned: ${file}; the next import removes it`);
  if (incomplete > 0) log(`missing: ${incomplete} index entries; import the sequences again to add them`);
  if (summary.findings === 0) return;
  const objects = summary.findings === 1 ? '1 object; delete it' : `${summary.findings} objects; delete them`;
  log(`invalid: ${objects}, and import the lost sequences again`);
  process.exitCode = 1;
}

function log(message: string): void {
  process.stderr.write(`${message}\n`);
}
