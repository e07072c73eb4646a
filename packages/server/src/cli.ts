#!/usr/bin/env node
import { runProgram } from './program.js';

// A closed pipe is not a failure: a server continues without a reader. Any other write error is.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  });
}

const exitCode = await runProgram(process.argv.slice(2));
if (exitCode !== undefined) process.exit(exitCode);
