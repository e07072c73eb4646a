#!/usr/bin/env node
import { CommanderError } from 'commander';
import { ConfigError } from './config/config-error.js';
import { describeFailure } from './errors.js';
import { createProgram } from './program.js';
import { escapeControls } from './terminal/escape-controls.js';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Writes a message for people, which goes to stderr; stdout is for machines. */
function log(message: string): void {
  process.stderr.write(`${escapeControls(message)}\n`);
}

function fail(error: unknown): void {
  // A line about a configuration begins with FILE:LINE:COLUMN, where editors expect it.
  if (error instanceof ConfigError) for (const line of error.message.split('\n')) log(line);
  else log(`htskit: ${describeFailure(error)}`);
  process.exit(EXIT_FAILED);
}

// A closed pipe is not a failure: a server continues without a reader. Any other write error is.
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
