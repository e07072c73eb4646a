// Starts nginx as the load balancer of a fleet:
//
//   node scripts/servers/balancer.mjs HOST:PORT…
//
// Prints {"url"}. The header X-Replica of each response names the replica that answered.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPorts, runServer, waitUntil } from './run-server.mjs';

const replicas = process.argv.slice(2);

/** Returns the configuration. The sections `upstream` and `location` are those of docs/operations.md. */
function configuration({ folder, port }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const servers = replicas.map((replica) => `server ${replica} max_fails=1 fail_timeout=1s;`);
  // One process, owned by whichever process started this script.
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  upstream fleet {
    ${servers.join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://fleet;
      # With HTTP/1.0 a body of unknown length would end where the connection does, also where a replica died.
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      # A POST asks for a ticket, and changes nothing: it may be asked again.
      proxy_next_upstream error timeout http_503 non_idempotent;
      proxy_next_upstream_tries 3;
      proxy_connect_timeout 2s;
      # Blocks are long, and nothing is gained by storing them on the way.
      proxy_buffering off;
      add_header X-Replica $upstream_addr always;
    }
  }
}
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
