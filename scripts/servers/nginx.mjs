// Starts nginx over the files of a folder:
//
//   node scripts/servers/nginx.mjs FOLDER
//
// Prints {"url","pid"}.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findPorts, runServer, waitUntil } from './run-server.mjs';

const root = resolve(process.argv[2] ?? '.');

function configuration({ folder, port }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // One process, and none of Debian's settings, such as compression.
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 256; }
http {
  access_log off;
  default_type application/octet-stream;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root "${root}";
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
  return { url, pid: Number(readFileSync(join(folder, 'nginx.pid'), 'utf8')) };
});
