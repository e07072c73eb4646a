import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runReadmeExample } from '../src/index.js';
import { extractExample } from '../src/readme-example.js';

describe('extractExample', () => {
  test('returns the first ts block', () => {
    expect(extractExample('# A\n\n```sh\nnpm\n```\n\n```ts\nfirst();\n```\n\n```ts\nsecond();\n```\n')).toBe(
      'first();\n',
    );
  });

  test('returns a later block by its index', () => {
    const markdown = '```ts\nfirst();\n```\n\n```js\nother();\n```\n\n```ts\nsecond();\n```\n';
    expect(extractExample(markdown, 1)).toBe('second();\n');
    expect(() => extractExample(markdown, 2)).toThrow('no ```ts block 2');
  });

  test('understands CRLF line ends', () => {
    expect(extractExample('```ts\r\nfirst();\r\n```\r\n')).toBe('first();\r\n');
  });

  test.each(['', '```js\nother();\n```\n', '```ts\nopen();\n'])('refuses %j', (markdown) => {
    expect(() => extractExample(markdown)).toThrow('no ```ts block');
  });
});

describe('runReadmeExample', () => {
  const readme = new URL('../README.md', import.meta.url);
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'htskit-package-'));
    mkdirSync(join(folder, 'test'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(code: string): URL {
    const path = join(folder, 'README.md');
    writeFileSync(path, `\`\`\`ts\n${code}\n\`\`\`\n`);
    return pathToFileURL(path);
  }

  test('runs the README of this package', async () => {
    const { output } = await runReadmeExample(readme);
    expect(output).toBe('5922 records, 5 references\n');
  });

  test('returns what the example prints and exports', async () => {
    const { output, exports } = await runReadmeExample(
      write('export const n: number = await Promise.resolve(2);\nconsole.log("n", n);\nconsole.log({ n });'),
    );
    expect(output).toBe('n 2\n{ n: 2 }\n');
    expect(exports).toMatchObject({ n: 2 });
  });

  test('calls use while the files of the example exist', async () => {
    const example = write(
      "import { existsSync } from 'node:fs';\nexport const isThere = () => existsSync('reads.bam');\nexport default 1;",
    );
    const found: unknown[] = [];
    const { exports } = await runReadmeExample(example, {
      use: async ({ isThere }) => void found.push((isThere as () => boolean)()),
    });
    expect([...found, (exports['isThere'] as () => boolean)()]).toEqual([true, false]);
  });

  test('replaces texts and throws if one does not occur', async () => {
    const example = write('console.log(8080);');
    expect((await runReadmeExample(example, { replace: { '8080': '0' } })).output).toBe('0\n');
    await expect(runReadmeExample(example, { replace: { '8081': '0' } })).rejects.toThrow('does not contain "8081"');
  });

  test('throws the error of the example and leaves no files', async () => {
    const directory = process.cwd();
    await expect(runReadmeExample(write('throw new TypeError("broken example");'))).rejects.toThrow('broken example');
    expect(process.cwd()).toBe(directory);
    expect(readdirSync(join(folder, 'test'))).toEqual([]);
  });
});
