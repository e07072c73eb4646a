import { closeSync, openSync, writeSync } from 'node:fs';
import { cannotWrite } from '../../files/write-output.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatCount } from '../../terminal/format-count.js';
import { note, warn } from '../../terminal/messages.js';
import type { FileOutcome } from './prepare-file.js';

/** Prints a line for each file, writes the JSON lines of `--report`, and counts. */
export class PrepareReport {
  readonly #counts = { made: 0, current: 0, failed: 0 };
  readonly #path: string | undefined;
  readonly #file: number | undefined;

  /** Throws Error if the report cannot be written to the path. */
  constructor(path: string | undefined) {
    this.#path = path;
    this.#file = path === undefined ? undefined : this.#tryTo(() => openSync(path, 'w'));
  }

  /** Throws Error if the report cannot be written. */
  add(result: FileOutcome): void {
    const { outcome, file, failures, warnings } = result;
    this.#counts[outcome]++;
    const reasons = failures.map(({ kind, message }) => (kind === undefined ? message : `${kind}: ${message}`));
    const details = outcome === 'failed' ? reasons.join('; ') : result[outcome].join(',');
    process.stdout.write(`${[outcome, file, details].map(escapeControls).join('\t')}\n`);
    for (const warning of warnings) warn(`${file}: ${warning}`);
    this.#write(result);
  }

  /** Counts a location whose files could not be listed. */
  addFailure(): void {
    this.#counts.failed++;
  }

  /** Reports the counts, and returns whether anything failed. */
  finish(): boolean {
    const { made, current, failed } = this.#counts;
    note(`${formatCount(made)} made, ${formatCount(current)} current, ${formatCount(failed)} failed`);
    this.#write({ summary: this.#counts });
    return failed > 0;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  /** Writes each line at once, so that a run that is killed leaves those of the files that were done. */
  #write(line: object): void {
    const file = this.#file;
    if (file !== undefined) this.#tryTo(() => writeSync(file, `${JSON.stringify(line)}\n`));
  }

  #tryTo<Result>(run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      throw cannotWrite(this.#path ?? '', error);
    }
  }
}
