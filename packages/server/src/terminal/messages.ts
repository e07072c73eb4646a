import { styleText } from 'node:util';
import { escapeControls } from './escape-controls.js';

let isQuiet = false;

/** Sets whether only errors are written: the option `--quiet`. */
export function setQuiet(quiet: boolean): void {
  isQuiet = quiet;
}

/** Returns whether progress is shown: on a terminal, without `--quiet`. */
export function showsProgress(): boolean {
  return !isQuiet && process.stderr.isTTY;
}

/** Writes a line for people, which goes to stderr: stdout is for machines. */
export function note(message: string): void {
  if (!isQuiet) writeLine(escapeControls(message));
}

/** Writes a warning. */
export function warn(message: string): void {
  if (!isQuiet) writeLine(`${color('yellow', 'warning:')} ${escapeControls(message)}`);
}

/** Writes the reason why a command, or its work on a file, failed. */
export function reportFailure(message: string): void {
  writeLine(`${color('red', 'htskit:')} ${escapeControls(message)}`);
}

/** Colours text if stderr is a terminal, unless NO_COLOR is set. */
export function color(name: 'red' | 'yellow', text: string): string {
  return styleText(name, text, { stream: process.stderr });
}

function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
