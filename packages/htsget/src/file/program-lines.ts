import { samHeaderLines } from '@htskit/formats/internal';

/** A program that converts files. */
export interface ConvertingProgram {
  /** Without tabs and line breaks. */
  readonly name: string;
  readonly version: string;
}

/**
 * Returns the text of a SAM header with `@PG` lines of a program (SAMv1 §1.3): as samtools does, one for each program that no
 * other one follows.
 */
export function addProgramLines(text: string, { name, version }: ConvertingProgram): string {
  const lines = Array.from(samHeaderLines(text, '@PG'), ({ line }) => line);
  const valuesOf = (tag: string): string[] =>
    lines.flatMap((line) => new RegExp(`\\t${tag}:([^\\t]+)`).exec(line)?.[1] ?? []);
  const ids = new Set(valuesOf('ID'));
  const followed = new Set(valuesOf('PP'));
  const last = [...ids].filter((id) => !followed.has(id));
  let [id, count] = [name, 0];
  const added = (last.length === 0 ? [undefined] : last).map((previous) => {
    // Continues after the line before: thousands of programs may have no other one that follows.
    while (ids.has(id)) id = `${name}.${++count}`;
    ids.add(id);
    return `@PG\tID:${id}\tPN:${name}${previous === undefined ? '' : `\tPP:${previous}`}\tVN:${version}\n`;
  });
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${added.join('')}`;
}
