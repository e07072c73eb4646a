// `htskit serve` in a process of its own, over a bucket.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from '../cpu-time.mjs';
import { withProcess } from '../with-process.mjs';
import { requestAll } from './requests.mjs';

const BUCKET = fileURLToPath(new URL('bucket.mjs', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url));
const KEY = 'utf8:the key that all replicas share';

/** Returns the result of `use`, which is called with a bucket that holds the files. */
export function withBucket(paths, use) {
  const child = fork(BUCKET, [JSON.stringify(paths)]);
  return withProcess(child, async (exited) => {
    const [{ port }] = await Promise.race([once(child, 'message'), exited]);
    /** Returns the requests since the last call. */
    const takeRequests = async () => {
      child.send('requests');
      const [{ requests }] = await once(child, 'message');
      return requests;
    };
    return use({ endpoint: `http://127.0.0.1:${port}`, takeRequests });
  });
}

/** Returns the result of `use`, which is called with the URL of a new replica and the id of its process. */
export function withReplica({ folder, endpoint, sharedCache, location = 's3://bucket/data', node = [] }, use) {
  const config = join(folder, 'htskit.yaml');
  writeFileSync(config, toConfig({ endpoint, sharedCache, location }));
  const args = [...node, COMMAND, 'serve', '--port', '0', '--config', config];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return withProcess(child, async (exited) => {
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
    const url = /^listening on (\S+)$/.exec(String(line))?.[1];
    if (url === undefined) throw new Error('htskit serve did not start');
    return use({ url, pid: child.pid });
  });
}

function toConfig({ endpoint, sharedCache, location }) {
  return `log: { access: false, level: warn }
htsget: { locations: [{ location: "${location}" }] }
auth: { signingKeys: ["${KEY}"] }
s3: { endpoint: "${endpoint}", forcePathStyle: true }
limits: { cacheBytes: 1073741824 }
coverage: estimate
${sharedCache === undefined ? '' : `sharedCache: "${sharedCache}"`}
`;
}

/** Sends the requests, and returns what they cost the process and the bucket. */
export async function costOf({ url, pid }, { takeRequests }, paths) {
  await takeRequests();
  const before = cpuSeconds(pid);
  const started = performance.now();
  await requestAll(url, paths);
  const milliseconds = performance.now() - started;
  return { cpu: 1000 * (cpuSeconds(pid) - before), milliseconds, requests: await takeRequests() };
}
