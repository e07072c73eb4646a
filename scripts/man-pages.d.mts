import type { Command } from 'commander';

/** Returns the manual pages of a program, by their file names. */
export function createManPages(program: Command): Map<string, string>;
