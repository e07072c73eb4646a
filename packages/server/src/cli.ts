#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { AUTHORITIES, type Authority, DEFAULT_AUTHORITY } from '@htskit/protocol';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { startDigestProgress } from './digest-progress.js';
import { escapeControls } from './escape-controls.js';
import { writeExamples } from './examples.js';
import { addGetCommand } from './get-command.js';
import { addIndexCommand } from './index-command.js';
import { addValue, parseNamingAuthority } from './naming-values.js';
import type { ProgressBar } from './progress-bar.js';
import { addRefgetCommand } from './refget-command.js';
import { serve } from './serve.js';
import { SERVED_FILES } from './served-paths.js';
import { addTicketCommand } from './ticket-command.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly authority: Authority;
  readonly namingAuthority?: string;
  readonly circular: readonly string[];
  readonly aliases: readonly string[];
  readonly cache?: string;
  readonly examples: boolean;
}

/** Human output goes to stderr, machine output to stdout. */
function log(message: string): void {
  process.stderr.write(`${escapeControls(message)}\n`);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('a port is a number from 0 to 65535.');
  return port;
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('a public URL is absolute and begins with http:// or https://.');
  }
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` !== '') {
    throw new InvalidArgumentError('a public URL has no credentials, query or fragment.');
  }
  return text.replace(/\/+$/, '');
}

async function runServe(paths: string[], flags: ServeFlags): Promise<void> {
  const startProgress = (name: string, byteLength: number): ProgressBar => startDigestProgress(name, byteLength, log);
  const server = await serve({ ...flags, paths: paths.length > 0 ? paths : ['.'], log, startProgress });
  const stop = (): void => {
    log('closing: running answers may end');
    server.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  process.stdout.write(`listening on ${server.url}\n`);
  if (flags.examples) {
    const write = (text: string): void => void process.stderr.write(`${text}\n`);
    await writeExamples(server, { baseUrl: server.publicUrl, write });
  }
}

function fail(error: unknown): void {
  log(`htskit: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(EXIT_FAILED);
}

function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const program = new Command('htskit').description('genomic files over htsget and refget').version(version);
  program.exitOverride().configureOutput({ writeErr: (text) => process.stderr.write(text) });
  program
    .command('serve')
    .description('serve BAM, CRAM, VCF and BCF files over htsget, FASTA and 2bit files over refget')
    .argument('[PATH...]', 'files and folders to serve (default: the current folder)')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 takes a free one', parsePort, 8080)
    .option('--public-url <url>', 'where clients reach the server (default: the address it listens on)', parseUrl)
    .addOption(
      new Option('--authority <token>', 'token of the standards body in media types')
        .choices(AUTHORITIES)
        .default(DEFAULT_AUTHORITY),
    )
    .option('--naming-authority <name>', 'who named the sequences: makes NAME:chr1 an id', parseNamingAuthority)
    .option('--circular <name>', 'a sequence that is circular; may be given several times', addValue, [])
    .option('--aliases <file>', 'table of name or digest, alias, naming authority; several times', addValue, [])
    .option('--cache <dir>', 'where digests of sequences are kept (default: beside each file)')
    .option('--examples', 'print commands to try once the server is ready', false)
    .addHelpText('after', `\nOf files, ${SERVED_FILES.replaceAll('; ', ';\n  ')}.`)
    .action(runServe);
  addGetCommand(program);
  addIndexCommand(program);
  addRefgetCommand(program);
  addTicketCommand(program);
  return program;
}

// A server goes on when whoever read its output has gone; output that cannot be written is a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = EXIT_FAILED;
  });
}

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE);
  fail(error);
}
