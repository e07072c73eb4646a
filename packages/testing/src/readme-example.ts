import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';
import { fixturePath } from './fixtures/expectations.js';

export interface ReadmeExampleOptions {
  /** Replacements of texts of the example, such as `listen(8080)` → `listen(0)`. */
  readonly replace?: Readonly<Record<string, string>>;
  /** 0-based index of the ```ts block in the README. Default 0. */
  readonly index?: number;
  /** Called with the exports of the example while its working directory still exists. */
  readonly use?: (exports: Readonly<Record<string, unknown>>) => Promise<void>;
}

export interface ReadmeExampleResult {
  /** The text that the example printed with console.log, including line ends. */
  readonly output: string;
  /** The exports of the example, so that a test can stop a server that it started. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Returns a ```ts block of a Markdown text, by default the first. Throws if there is no block with that index. */
export function extractExample(markdown: string, index = 0): string {
  const example = [...markdown.matchAll(/^```ts\r?\n(.*?)^```\r?$/gms)][index]?.[1];
  if (example === undefined) throw new Error(`no \`\`\`ts block ${index}`);
  return example;
}

/** Replaces each text everywhere. Throws if one does not occur, because then the README has changed. */
function replaceTexts(example: string, replace: Readonly<Record<string, string>>): string {
  let code = example;
  for (const [text, replacement] of Object.entries(replace)) {
    if (!code.includes(text)) throw new Error(`the example does not contain ${JSON.stringify(text)}`);
    code = code.replaceAll(text, () => replacement);
  }
  return code;
}

/**
 * Runs a ```ts block of a package's README, by default the first. It may import the packages that the package may import.
 *
 * The working directory is a temporary copy of `fixtures/`, so the example can read `reads.bam` and write files. Works only
 * in vitest, which resolves the imports to the sources. Throws the errors of the example.
 */
export async function runReadmeExample(
  readme: URL | string,
  { replace = {}, index = 0, use }: ReadmeExampleOptions = {},
): Promise<ReadmeExampleResult> {
  const code = replaceTexts(extractExample(readFileSync(new URL(readme), 'utf8'), index), replace);
  // Inside of the package, so that its dependencies can be resolved, and hidden, so that tsc ignores it.
  const folder = mkdtempSync(fileURLToPath(new URL('test/.readme-', readme)));
  const data = mkdtempSync(join(tmpdir(), 'htskit-readme-'));
  const previous = process.cwd();
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    writeFileSync(join(folder, 'example.ts'), code);
    cpSync(fixturePath(''), data, { recursive: true });
    process.chdir(data);
    const imported: unknown = await import(pathToFileURL(join(folder, 'example.ts')).href);
    const exports = imported as Readonly<Record<string, unknown>>;
    await use?.(exports);
    const output = log.mock.calls.map((values) => `${format(...values)}\n`).join('');
    return { output, exports };
  } finally {
    log.mockRestore();
    process.chdir(previous);
    rmSync(folder, { recursive: true });
    rmSync(data, { recursive: true });
  }
}
