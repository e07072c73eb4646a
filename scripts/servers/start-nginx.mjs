// Runs nginx in a folder of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPorts, waitUntil } from './run-server.mjs';

/**
 * Starts nginx with the sites that a function of a port and the folder returns, in the main section that nginx needs. Resolves to its
 * URL once it answers. None of Debian's settings apply, such as compression.
 */
export async function startNginx({ folder, daemon }, sites) {
  const [port] = await findPorts(1);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const path = join(folder, 'nginx.conf');
  // One process, owned by whichever process started the script.
  const configuration = `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  ${temporary.join('\n  ')}
${sites({ port, folder })}}
`;
  writeFileSync(path, configuration);
  daemon('nginx', '-c', path, '-e', 'stderr');
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('the start of nginx', async () => (await fetch(url)).status > 0);
  return url;
}
