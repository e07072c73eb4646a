import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkCircles } from '../style/circles.mjs';
import { checkClocks } from '../style/clocks.mjs';
import { checkExports } from '../style/exports.mjs';
import { checkRooms, MOST_FILES, MOST_LINES } from '../style/rooms.mjs';
import { checkWords } from '../style/words.mjs';

const SOURCE = 'packages/a/src/a.ts';
const TEST = 'packages/a/test/a.test.ts';
const words = (source, path = SOURCE) => checkWords(path, source).map(({ line, message }) => `${line}: ${message}`);

describe('the phrases', () => {
  test('are found in comments, messages and templates, with the line', () => {
    expect(words('// ok\n// the byte behind it\n')).toEqual(['2: "behind"; write "after", "past"']);
    expect(words("throw new Error('the URL is none')\n")).toHaveLength(1);
    expect(words(`const a = \`POS "\${b}" is\\n\${c}\`;\nconst d = \`POS "\${b}" is no number\`;\n`)).toEqual([
      '2: "is no"; write "is not a"',
    ]);
  });

  test('are found across the lines of a comment', () => {
    expect(words('/**\n * The bytes in\n * front of it.\n */\n')).toEqual(['2: "in front of"; write "before"']);
    expect(words('// The bytes in\n// front of it.\n')).toHaveLength(1);
  });

  test('are found in the names and comments of tests and not in their strings', () => {
    const body = "{ expect('one behind another'); }";
    expect(words(`test('reads the block behind', () => ${body});`, TEST)).toHaveLength(1);
    expect(words(`test.each([1])('tells %i', () => ${body});`, TEST)).toHaveLength(1);
    expect(words(`// behind\ntest('reads the next block', () => ${body});`, TEST)).toHaveLength(1);
    expect(words(`test('reads the next block', () => ${body});`, TEST)).toEqual([]);
  });

  test('are found in Markdown, across lines and not across paragraphs', () => {
    expect(words('# A\n\nthe bytes in\nfront of it\n', 'README.md')).toEqual(['3: "in front of"; write "before"']);
    expect(words('the bytes in\n\nfront of it\n', 'README.md')).toEqual([]);
  });

  test.each([
    'one behind the other',
    'Undefined where the bytes end.',
    'Stops where nothing is left.',
    'The size, where it is known.',
    'Where there are no workers, it runs here.',
    'bytes that are no record',
    'BAM is nothing for a terminal',
    'The failure is told to the client.',
    'Throws as `read`.',
    'The key as of the store.',
    'the region asked for',
    'Writes the marker, unless it is there.',
    'Gives the next block.',
    'The rank of a reference.',
  ])('include "%s"', (text) => {
    expect(words(`/** ${text} */`)).not.toEqual([]);
  });

  test.each([
    'Runs behind a reverse proxy, behind nginx or behind a load balancer.',
    'A proxy in front of the server adds the header.',
    'The version tells two files apart, or tells a copy from its original.',
    'Returns the line where the record begins.',
    'Returns the address where it listens.',
    'Undefined if there is none, or if there is no index.',
    'It is no longer valid, and is no faster.',
    'The size, all of which is read, and two parts, one of which is empty.',
    'Holds as of version 3.',
    'Stands for any character; it gives up after 3 attempts.',
    'Returns the names. Who may read them? Everybody.',
  ])('leave "%s" alone', (text) => {
    expect(words(`/** ${text} */`)).toEqual([]);
  });

  test('do not begin a doc comment with a fragment', () => {
    expect(words('/** Where the tag ends. */')).toHaveLength(1);
    expect(words('/** Of the ticket. */')).toHaveLength(1);
    expect(words('// What follows is measured.')).toEqual([]);
  });
});

describe('the findings', () => {
  const program = fileURLToPath(new URL('../check-style.mjs', import.meta.url));

  /** Checks a repository with one file. */
  function check(path, source, CI) {
    const cwd = mkdtempSync(join(tmpdir(), 'htskit-style-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    execFileSync('git', ['init', '--quiet'], { cwd });
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), source);
    const { status, stdout } = spawnSync(process.execPath, [program], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, CI },
    });
    return { status, stdout };
  }

  test('of words are warnings, and errors in CI', () => {
    const source = '# A\n\nWhat whoever reads it sees.\n';
    const finding = '"whoever"; write "the caller", "the client", "anyone who"\n';
    expect(check('README.md', source, '')).toEqual({ status: 0, stdout: `README.md:3: warning: ${finding}` });
    expect(check('README.md', source, 'true')).toEqual({ status: 1, stdout: `README.md:3: ${finding}` });
  });

  test('of sizes are errors', () => {
    const long = check(SOURCE, 'a\n'.repeat(301), '');
    expect(long).toEqual({ status: 1, stdout: `${SOURCE}:301: 301 lines; write at most 300\n` });
  });
});

describe('the names', () => {
  test('are found in identifiers, word by word', () => {
    expect(words('const rank = 0;\n')).toEqual(['1: "rank"; write "index", "or referenceId for a reference"']);
    expect(words('firstEndingBehind(at);\n')).toHaveLength(1);
    expect(words('const REF_BEHIND_POS = 1;\n')).toHaveLength(1);
    expect(words("import { a } from './by-rank.js';\n")).toHaveLength(1);
    expect(words('frank(tolds, drank);\n')).toEqual([]);
  });

  test('are not looked for in regular expressions', () => {
    expect(words('const a = /rank behind/;\nconst b = a / 2; // index\n')).toEqual([]);
  });
});

describe('the rooms', () => {
  const file = (path, lines = 1) => ({ path, source: 'a\n'.repeat(lines) });

  test('have a limited number of files with a limited number of lines', () => {
    const folder = Array.from({ length: MOST_FILES }, (_, index) => file(`packages/a/src/b/${index}.ts`, MOST_LINES));
    expect(checkRooms(folder)).toEqual([]);
    expect(checkRooms([...folder, file('packages/a/src/b/c.ts')])).toMatchObject([{ path: 'packages/a/src/b' }]);
    expect(checkRooms([file(SOURCE, MOST_LINES + 1), file(TEST, MOST_LINES + 1)])).toMatchObject([
      { path: SOURCE, line: MOST_LINES + 1 },
    ]);
  });
});

describe('the circles', () => {
  const file = (name, source) => ({ path: `packages/a/src/${name}.ts`, source });
  const circles = (...files) => checkCircles(files).map(({ path, message }) => `${path}: ${message}`);

  test.each([
    "import { b } from '../b.js';",
    "import type {\n  B,\n} from '../b.js';",
    "export { b } from '../b.js';",
    "export type * from '../b.js';",
    "import '../b.js';",
    "const load = () => import('../b.js');",
  ])('are found of %s', (source) => {
    expect(circles(file('c/a', source), file('b', "import { a } from './c/a.js';"))).toEqual([
      'packages/a/src/b.ts: circle of imports: packages/a/src/b.ts → packages/a/src/c/a.ts → packages/a/src/b.ts; move what both need',
    ]);
  });

  test('are found through several files, once each', () => {
    const chain = [file('a', "import './b.js';"), file('b', "import './c.js';"), file('c', "import './a.js';")];
    expect(circles(...chain)).toHaveLength(1);
    expect(circles(...chain, file('d', "import './a.js';"))).toHaveLength(1);
  });

  test('are not found in texts, and not where two files need a third', () => {
    const source = "import './c.js';\n// import './b.js';\nconst text = 'from';";
    expect(circles(file('a', source), file('b', "import './a.js';\nimport './c.js';"), file('c', ''))).toEqual([]);
  });
});

describe('the clocks', () => {
  test('are found in assertions', () => {
    expect(checkClocks(TEST, 'expect(performance.now() - started).toBeLessThan(5);')).toHaveLength(1);
    expect(checkClocks(TEST, 'const taken = Date.now() - started;\nexpect(taken).toBeGreaterThan(5);')).toEqual([
      expect.objectContaining({ line: 2 }),
    ]);
  });

  test('are allowed elsewhere', () => {
    expect(checkClocks(TEST, 'const started = performance.now();\nexpect(count).toBeLessThan(5);')).toEqual([]);
    expect(checkClocks(SOURCE, 'expect(performance.now() - started).toBeLessThan(5);')).toEqual([]);
  });
});

describe('the exports', () => {
  const manifest = (name) => [
    `packages/${name}`,
    {
      name: `@a/${name}`,
      exports: { '.': { '@htskit/source': './src/index.ts' }, './package.json': './package.json' },
    },
  ];
  const check = (sources) => checkExports(new Map(Object.entries(sources)), [manifest('x'), manifest('y')]);

  test('of one name for two declarations are found', () => {
    const sources = {
      'packages/x/src/index.ts': "export { type Range, a } from './range.js';\n",
      'packages/x/src/range.ts': 'export interface Range {}\nexport const a = 1;\n',
      'packages/y/src/index.ts': '\nexport interface Range {}\n',
    };
    expect(check(sources)).toMatchObject([{ path: 'packages/y/src/index.ts', line: 2 }]);
  });

  test('of one declaration by two packages are allowed', () => {
    const sources = {
      'packages/x/src/index.ts': "export { type Range } from './range.js';\n",
      'packages/x/src/range.ts': 'export interface Range {}\n',
      'packages/y/src/index.ts': "import type { Range } from '@a/x';\nexport type { Range };\n",
    };
    expect(check(sources)).toEqual([]);
    expect(check({ ...sources, 'packages/y/src/index.ts': "export { type Range } from '@a/x';\n" })).toEqual([]);
  });
});
