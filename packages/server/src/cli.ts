#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addConfigCommand } from './config/config-command.js';
import { ConfigError } from './config/config-error.js';
import { addDigestCommand } from './digest-command.js';
import { escapeControls } from './escape-controls.js';
import { addGetCommand } from './get-command.js';
import { addIndexCommand } from './index-command.js';
import { PACKAGE_VERSION } from './package-version.js';
import { addRefgetCommand } from './refget-command.js';
import { addServeCommand } from './serve-command.js';
import { addTicketCommand } from './ticket-command.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Human output goes to stderr, machine output to stdout. */
function log(message: string): void {
  process.stderr.write(`${escapeControls(message)}\n`);
}

function fail(error: unknown): void {
  // Those of a configuration begin with its name, where editors look for it.
  if (error instanceof ConfigError) for (const line of error.message.split('\n')) log(line);
  else log(`htskit: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(EXIT_FAILED);
}

function createProgram(): Command {
  const program = new Command('htskit').description('genomic files over htsget and refget').version(PACKAGE_VERSION);
  program.exitOverride().configureOutput({ writeErr: (text) => process.stderr.write(text) });
  addServeCommand(program);
  addConfigCommand(program);
  addDigestCommand(program);
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
