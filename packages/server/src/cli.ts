#!/usr/bin/env node
import * as nodeModule from 'node:module';

// Node 22.1 and newer keep the compiled code for the next run.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void };
enableCompileCache?.();
// Loaded after that, so that it is kept.
const { runProgram } = await import('./program.js');
const { commandArguments } = await import('./terminal/command-arguments.js');

// A closed pipe is not a failure: a server continues without a reader. Any other write error is.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  });
}

const exitCode = await runProgram(commandArguments());
if (exitCode !== undefined) process.exit(exitCode);
