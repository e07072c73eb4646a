// Does what the READMEs of the packages say, each in an empty folder: installs with npm, runs the commands, and runs the programs.

import { once } from 'node:events';
import { cpSync, createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'rolldown/utils';
import { runCommand } from '../../runtimes/command.mjs';
import { startListener } from '../../runtimes/listener.mjs';
import { publishedNames } from '../tarballs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TIMEOUT_SECONDS = 300;
/** npm waits for the disk and the network half of the time. */
const AT_ONCE = 3;
/** A line of a block, or code in a sentence. */
const INSTALL = /(?<=^|`)npm install [^`\n]+/gm;
/** A command that starts the server which all READMEs share. */
const SERVE = /^(?:htskit|npx @htskit\/server) serve /;
/** The first line of a script that has a name. */
const SCRIPT = /^\/\/ (\S+\.m?js)\n/;
/** A program that needs a page. */
const DOM = /\bdocument\b/;
/** A program ends once it has run, also if it serves. */
const RUNNER =
  'import(process.argv[1]).then(() => process.exit(), (error) => { console.error(error); process.exit(1); });';
/** Files that the READMEs name, and the fixtures that take their places. */
const NAMES = { 'NA12878.bam': 'reads.bam', 'NA12878.bam.bai': 'reads.bam.bai', 'NA12878.vcf.gz': 'variants.vcf.gz' };

/**
 * Follows the READMEs of all published packages. `npx @htskit/server serve .` is the server that they name. Rejects if a
 * command or a program fails.
 */
export async function followReadmes({ scratch, env }) {
  const served = join(scratch, 'served');
  mkdirSync(served);
  await copyFiles(served, env);
  const server = await startListener('npx', ['--yes', '@htskit/server', 'serve', '.', '--port', '0'], {
    cwd: served,
    env,
    timeoutSeconds: TIMEOUT_SECONDS,
  });
  const files = await serveFiles(served);
  try {
    const ticket = await fetch(`${server.origin}/reads/reads?referenceName=chr1&start=1000&end=2000`);
    if (!ticket.ok) throw new Error(`npx @htskit/server serve . answers with ${ticket.status}`);
    console.log('npx @htskit/server serve . serves a folder');
    const texts = await textsFor(server.origin, files.origin);
    const names = publishedNames();
    const failures = [];
    const followSome = async () => {
      for (let name = names.shift(); name; name = names.shift()) {
        const text = await followReadme({ name, scratch, env, texts }).catch((error) => {
          failures.push(`README of @htskit/${name}: ${error.message}`);
          return 'failed';
        });
        console.log(`@htskit/${name}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, followSome));
    if (failures.length > 0) throw new Error(failures.join('\n'));
  } finally {
    await Promise.all([server.close(), files.close()]);
  }
}

/** Returns what replaces the texts that stand for a server, its files and its sequences. */
async function textsFor(server, files) {
  const { results } = await (await fetch(`${server}/list/collection`)).json();
  return {
    'https://data.example.org/reads.bam': `${files}/reads.bam`,
    'htsget://data.example.org': server,
    'https://data.example.org': server,
    'http://127.0.0.1:8080': server,
    'listen(3000': 'listen(0',
    'port: 3000': 'port: 0',
    'chr1:1M-2M': 'chr1:1k-2k',
    // The fixtures have indexes.
    'htskit index': 'htskit index --force',
    DIGEST: results[0],
  };
}

/** Returns a description of what has been done. */
async function followReadme({ name, scratch, env, texts }) {
  const folder = join(scratch, 'readmes', name);
  mkdirSync(folder, { recursive: true });
  const global = join(folder, 'global');
  const options = {
    cwd: folder,
    env: { ...env, NPM_CONFIG_PREFIX: global, PATH: `${join(global, 'bin')}:${env.PATH}` },
    timeoutSeconds: TIMEOUT_SECONDS,
  };
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
  const lines = blocksOf(readme, 'sh').flatMap((block) => block.trimEnd().split('\n'));
  const installs = Array.from(readme.matchAll(INSTALL), ([line]) => line);
  if (installs.length === 0) throw new Error('it does not say how to install the package');
  for (const line of installs) await runCommand('bash', ['-c', line], options);
  await copyFiles(folder, env);
  const commands = lines.filter((line) => !installs.includes(line) && !SERVE.test(line));
  for (const line of commands)
    await runCommand('bash', ['-c', `set -o pipefail\n${replaceTexts(line, texts)}`], options);
  for (const script of blocksOf(readme, 'js')) {
    const [, file] = SCRIPT.exec(script) ?? [];
    if (file !== undefined) writeFileSync(join(folder, file), script);
  }
  const programs = blocksOf(readme, 'ts').filter((code) => !DOM.test(code));
  for (const [index, code] of programs.entries()) {
    const path = join(folder, `program-${index}.mjs`);
    writeFileSync(path, (await transform(`${index}.ts`, replaceTexts(code, texts))).code);
    await runCommand(process.execPath, ['--eval', RUNNER, path], options);
  }
  return `${installs.length + commands.length} commands and ${programs.length} programs`;
}

function blocksOf(markdown, language) {
  return Array.from(markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)).flatMap(([, found, code]) =>
    found === language ? [code] : [],
  );
}

function replaceTexts(code, texts) {
  return Object.entries(texts).reduce((replaced, [text, other]) => replaced.replaceAll(text, () => other), code);
}

/** Copies the fixtures, and makes of them what else the READMEs name. */
async function copyFiles(folder, env) {
  cpSync(join(root, 'fixtures'), folder, { recursive: true });
  for (const [name, fixture] of Object.entries(NAMES)) cpSync(join(root, 'fixtures', fixture), join(folder, name));
  const [, chr1 = ''] = readFileSync(join(folder, 'genome.fa'), 'utf8').split(/^>.*$/m);
  writeFileSync(join(folder, 'chr1.txt'), chr1.replaceAll('\n', ''));
  await runCommand('zstd', ['--quiet', 'genome.fa'], { cwd: folder, env, timeoutSeconds: TIMEOUT_SECONDS });
}

/** Serves the files of a folder as they are. */
async function serveFiles(folder) {
  const server = createServer(({ url }, response) => createReadStream(join(folder, url)).pipe(response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    server.close();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}
