import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';
import { fixturePath } from './fixture.js';

export interface ReadmeExampleOptions {
  /** Text of the example → what stands there when it runs, such as `listen(8080)` → `listen(0)`. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Rank of the ```ts block in the README, from 0. Default 0. */
  readonly index?: number;
  /** Uses what the example exports while its working directory is still there. */
  readonly use?: (exports: Readonly<Record<string, unknown>>) => Promise<void>;
}

export interface ReadmeExampleResult {
  /** What the example printed through console.log, line ends included. */
  readonly output: string;
  /** What it exports, so that a test can stop what the example started. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/** A ```ts block of a Markdown text, by default the first one. Throws if there is none of that rank. */
export function extractExample(markdown: string, index = 0): string {
  const example = [...markdown.matchAll(/^```ts\r?\n(.*?)^```\r?$/gms)][index]?.[1];
  if (example === undefined) throw new Error(`no \`\`\`ts block ${index}`);
  return example;
}

/** Replaces each text everywhere. Throws if one does not occur, because the README has changed then. */
function replaceTexts(example: string, replace: Readonly<Record<string, string>>): string {
  let code = example;
  for (const [text, replacement] of Object.entries(replace)) {
    if (!code.includes(text)) throw new Error(`the example does not contain ${JSON.stringify(text)}`);
    code = code.replaceAll(text, () => replacement);
  }
  return code;
}

/**
 * Runs a ```ts block of a package's README, by default the first one, which may import any package that the package itself may import.
 *
 * The working directory is a throw-away copy of `fixtures/`, so the example can name `reads.bam` and write files. For
 * vitest only: it resolves the imports to the sources. Throws what the example throws.
 */
export async function runReadmeExample(
  readme: URL | string,
  { replace = {}, index = 0, use }: ReadmeExampleOptions = {},
): Promise<ReadmeExampleResult> {
  const code = replaceTexts(extractExample(readFileSync(new URL(readme), 'utf8'), index), replace);
  // Inside the package, for its own name and its dependencies to be resolved; hidden, for tsc to pass it by.
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
