import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from './built-command.js';

const folder = join(dirname(cli), 'command');
const files = readdirSync(folder).filter((file) => file.endsWith('.js'));

/** Returns the modules that a file of the bundle loads when it is imported, by their paths. */
function loadedModules(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(join(folder, file), 'utf8');
  const sources = readSources(join(folder, `${file}.map`));
  const imports = Array.from(text.matchAll(/^(?:import|export) [^\n]*?"\.\/([^"]+)";$/gm), ([, path = '']) => path);
  return [...sources, ...imports.flatMap((path) => loadedModules(path, seen))];
}

/** Returns the sources of a map. Files that have no module, such as the bundler's own functions, have none. */
function readSources(map: string): readonly string[] {
  if (!existsSync(map)) return [];
  return (JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] }).sources;
}

test.each(files.filter((file) => /-command-[\w-]+\.js$/.test(file)))(
  '%s loads no code that its action needs',
  (file) => {
    const modules = loadedModules(file);
    expect(modules).toContainEqual(expect.stringContaining('/src/commands/'));
    // The syntax of regions is in the help texts.
    const heavy =
      /\/(?:formats(?!\/src\/records\/region-text)|indexes|storage|htsget|refget|records|adapters)\/src\/|\/client\/src\/(?:htsget|refget)\//;
    expect(modules.filter((path) => heavy.test(path))).toEqual([]);
  },
);

test('what commands and workers compute depths with loads nothing of the server', () => {
  const users = [...files.filter((file) => /^(?:depth|index)-command-/.test(file)), 'coverage-worker.js'];
  const loaded = users.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const later = Array.from(text.matchAll(/import\("\.\/([^"]+)"\)/g), ([, path = '']) => path);
    return [file, ...later].flatMap((path) => loadedModules(path));
  });
  expect(loaded).toContainEqual(expect.stringContaining('/coverage/src/depth/'));
  expect(loaded.filter((path) => /\.\.\/src\/(?:runtime\/(?!coverage)|config)\//.test(path))).toEqual([]);
});

test('the script of a worker that inflates loads two files', () => {
  const seen = new Set<string>();
  expect(loadedModules('codec-worker.js', seen)).toContain('../../../bgzf/src/pool/codec-worker.ts');
  expect(seen.size).toBe(2);
});

test('the bundle has the licences of the libraries in it', () => {
  const licences = readFileSync(join(folder, 'licences.txt'), 'utf8');
  for (const name of ['commander', 'cli-progress', 'aws4fetch']) expect(licences).toContain(`${name}\n\n`);
  expect(licences).toMatch(/Permission is hereby granted/);
});
