import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readFixture } from '@htskit/testing';
import { type LocalWorker, startLocalWorker } from '@htskit/testing/workerd';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Starts the Worker of deploy/workers with the variables of its wrangler.jsonc and others, and with fixtures in its bucket. */
export async function startTemplate(
  objects: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<LocalWorker> {
  const worker = await startLocalWorker({
    entry: path('../../../../scripts/servers/counted-worker.mjs'),
    packages: path('../../node_modules'),
    variables: { ...templateVariables(), SIGNING_KEY: 'sixteen or more bytes', ...variables },
  });
  for (const [key, fixture] of Object.entries(objects)) await worker.bucket.put(key, readFixture(fixture));
  return worker;
}

/** Returns the variables of wrangler.jsonc, which is JSON with comments on lines of their own. */
function templateVariables(): Readonly<Record<string, string>> {
  const text = readFileSync(path('../../../../deploy/workers/wrangler.jsonc'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  return (JSON.parse(text) as { vars: Record<string, string> }).vars;
}
