import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { logWarnings } from '../../../src/commands/serve/signals.js';
import { createLogger } from '../../../src/runtime/logger.js';

test('warnings of Node are logged as JSON and redacted, in place of lines on stderr', () => {
  const lines: string[] = [];
  const logger = createLogger({ format: 'json' }, { stream: { write: (line) => void lines.push(line) } });
  const source = new EventEmitter();
  const printed: unknown[] = [];
  source.on('warning', (warning) => printed.push(warning));
  logWarnings(logger, source);
  source.emit('warning', new Error('failed: https://a.example/x?token=s3cret'));
  expect(printed).toEqual([]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'warn', msg: 'Error: failed: https://a.example/x?[redacted]' },
  ]);
});
