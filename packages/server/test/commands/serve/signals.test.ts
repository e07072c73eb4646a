import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { logCrash, logWarnings } from '../../../src/commands/serve/signals.js';
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

test('an uncaught exception is logged as one line of JSON and redacted, and ends the process with 1', () => {
  const lines: string[] = [];
  const logger = createLogger({ format: 'json' }, { stream: { write: (line) => void lines.push(line) } });
  const source = new EventEmitter();
  const codes: number[] = [];
  logCrash(logger, { source, exit: (code) => codes.push(code) });
  source.emit('uncaughtException', new Error('failed: https://a.example/x?token=s3cret', { cause: new Error('why') }));
  source.emit('uncaughtException', 'text');
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: expect.stringMatching(
        /^uncaught exception: failed: https:\/\/a\.example\/x\?\[redacted\] why; at .*signals\.test\.ts/,
      ) as string,
    }),
    expect.objectContaining({ level: 'error', msg: 'uncaught exception: text' }),
  ]);
  expect(codes).toEqual([1, 1]);
});
