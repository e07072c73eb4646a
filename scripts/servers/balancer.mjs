// Starts nginx as the load balancer of a fleet:
//
//   node scripts/servers/balancer.mjs HOST:PORT…
//
// Prints {"url"}. The header X-Replica of each response names the replica that answered.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPorts, runServer, waitUntil } from './run-server.mjs';

const replicas = process.argv.slice(2);

/** Returns deploy/nginx/htskit.conf with these replicas and this port, in the main section that nginx needs. */
function configuration({ folder, port }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const servers = replicas.map((replica) => `server ${replica} $1;`);
  const sites = readFileSync(new URL('../../deploy/nginx/htskit.conf', import.meta.url), 'utf8')
    .replace(/server htskit:8080 (.*);/, servers.join('\n  '))
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('location / {', 'location / {\n    add_header X-Replica $$upstream_addr always;');
  // One process, owned by whichever process started this script.
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  ${temporary.join('\n  ')}
${sites}}
`;
}

await runServer(async ({ folder, daemon }) => {
  const [port] = await findPorts(1);
  const path = join(folder, 'nginx.conf');
  writeFileSync(path, configuration({ folder, port }));
  daemon('nginx', '-c', path, '-e', 'stderr');
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('the start of nginx', async () => (await fetch(url)).status > 0);
  return { url };
});
