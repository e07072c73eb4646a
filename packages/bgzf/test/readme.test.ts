import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

test('the example in the README runs, and holds what it asserts', async () => {
  const [, example] = /```ts\n(.*?)```/s.exec(read('../README.md')) ?? [];
  expect(example).toBe(read('readme-example.ts'));
  await expect(import('./readme-example.js')).resolves.toBeDefined();
});
