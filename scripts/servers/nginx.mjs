// Starts nginx over the files of a folder:
//
//   node scripts/servers/nginx.mjs FOLDER
//
// Prints {"url","pid"}.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runServer } from './run-server.mjs';
import { startNginx } from './start-nginx.mjs';

const root = resolve(process.argv[2] ?? '.');

await runServer(async (server) => {
  const url = await startNginx(
    server,
    ({ port }) => `
  access_log off;
  default_type application/octet-stream;
  server {
    listen 127.0.0.1:${port};
    root "${root}";
  }
`,
  );
  return { url, pid: Number(readFileSync(join(server.folder, 'nginx.pid'), 'utf8')) };
});
