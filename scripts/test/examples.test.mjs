// Compiles the examples in the docstrings of all packages against what is built. Those of the READMEs are run instead, by
// the tests of their packages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { exportsOf } from '../style/exports.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const packages = readdirSync(join(root, 'packages')).filter((name) => name !== 'testing');

/** The exported names of all packages, each with its entry point: `[name, specifier]`. */
const exported = packages.flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const entry = target['@htskit/source'];
    if (entry === undefined || !existsSync(join(root, 'packages', name, entry))) return [];
    const source = readFileSync(join(root, 'packages', name, entry), 'utf8');
    return exportsOf(source).map((one) => [one.name, `@htskit/${name}${subpath.slice(1)}`]);
  });
});

/** The examples in the docstrings of a file: `{ line, code }`. */
function examplesOf(source) {
  return Array.from(source.matchAll(/\/\*\*(?:(?!\*\/).)*?@example\n((?:(?!\*\/|\n\s*\* @).)*)/gs), (match) => ({
    line: source.slice(0, match.index + match[0].length - match[1].length).split('\n').length,
    code: match[1].replaceAll(/^[ \t]*\* ?/gm, '').replaceAll(/^```.*$/gm, ''),
  }));
}

/** Returns a module with the lines of an example, after one that imports what it uses and neither imports nor declares. */
function toModule(code, owner) {
  // The scheme of a token is not the type of that name.
  const used = new Set(code.replaceAll('Bearer $', '').match(/(?<!\w|[^.]\.)[A-Za-z_]\w*/g));
  const declarations = code.match(/^import .*|\b(?:const|let|function\*?|class) (?:\w+|[{[][^}\]]*)/gm) ?? [];
  const own = new Set(declarations.flatMap((declaration) => declaration.match(/\w+/g)));
  const isOwn = ([, specifier]) => specifier.split('/')[1] === owner;
  // The later of two entry points counts: that of the package itself.
  const entryPoints = new Map([...exported.filter((one) => !isOwn(one)), ...exported.filter(isOwn)]);
  const imports = [...entryPoints].filter(([name]) => used.has(name) && !own.has(name));
  return `${imports.map(([name, specifier]) => `import { ${name} } from '${specifier}';`).join(' ')}export {};\n${code}`;
}

test('the examples in docstrings compile', { timeout: 120_000 }, () => {
  const places = new Map();
  for (const name of packages) {
    // Inside of the package, so that its dependencies can be resolved, and hidden, so that tsc ignores it otherwise.
    const folder = mkdtempSync(join(root, 'packages', name, 'test/.examples-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const path of readdirSync(join(root, 'packages', name, 'src'), { recursive: true })) {
      if (!path.endsWith('.ts')) continue;
      for (const { line, code } of examplesOf(readFileSync(join(root, 'packages', name, 'src', path), 'utf8'))) {
        const file = join(folder, `${places.size}.ts`);
        writeFileSync(file, toModule(code, name));
        places.set(file, { path: `packages/${name}/src/${path}`, line });
      }
    }
  }
  expect(places.size).toBeGreaterThan(140);
  const folder = mkdtempSync(join(root, 'scripts/test/.examples-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      composite: false,
      declaration: false,
      declarationMap: false,
      isolatedDeclarations: false,
      noEmit: true,
      noPropertyAccessFromIndexSignature: false,
      noUnusedLocals: false,
      types: ['node'],
      verbatimModuleSyntax: false,
    },
    files: [join(root, 'scripts/test/example-variables.d.ts'), ...places.keys()],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const errors = (stdout + stderr).replaceAll(/^(\S+)\((\d+),(\d+)\)/gm, (_, file, line, column) => {
    const place = places.get(join(root, file));
    return place === undefined ? file : `${place.path}:${place.line + Number(line) - 2}:${column}`;
  });
  expect(errors).toBe('');
});
