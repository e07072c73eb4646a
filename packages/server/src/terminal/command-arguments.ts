import { readFileSync } from 'node:fs';
import { decodeText } from '@htskit/io';

/**
 * Returns the arguments of the command. Node.js replaces bytes that are not UTF-8, such as those of a name in Latin-1. Linux has
 * the arguments as they were written; elsewhere, such names are written with escapes: see `parseRegion`.
 */
export function commandArguments(): readonly string[] {
  const args = process.argv.slice(2);
  if (process.platform !== 'linux' || !args.some((arg) => arg.includes('\ufffd'))) return args;
  try {
    // Each argument ends with a NUL.
    return decodeText(readFileSync('/proc/self/cmdline'))
      .split('\0')
      .slice(-1 - args.length, -1);
  } catch {
    return args;
  }
}
