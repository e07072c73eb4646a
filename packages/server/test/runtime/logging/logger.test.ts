import { expect, test } from 'vitest';
import type { LogSection } from '../../../src/config/sections/monitoring.js';
import type { AccessRecord } from '../../../src/runtime/logging/logger.js';
import { createLogger, ReloadableLogger } from '../../../src/runtime/logging/logger.js';

const RECORD: AccessRecord = {
  requestId: 'r-1',
  method: 'GET',
  route: '/reads/{id}',
  status: 200,
  bytes: 10,
  milliseconds: 1.5,
  outcome: 'complete',
  object: 'reads/a',
  client: '127.0.0.1',
};

function record(section: LogSection, isTerminal: boolean) {
  const lines: string[] = [];
  const logger = createLogger(section, { stream: { write: (line) => void lines.push(line) }, isTerminal });
  return { lines, logger };
}

test('writes text lines to a terminal, without requests by default', () => {
  const { lines, logger } = record({}, true);
  logger.info('closing\u001b[31m: Bearer s3cret');
  logger.access(RECORD);
  expect(lines).toEqual(['closing\\u001b[31m: Bearer [redacted]\n']);
  const asked = record({ access: true }, true);
  asked.logger.access({ ...RECORD, outcome: 'aborted', object: undefined, client: undefined });
  expect(asked.lines).toEqual(['- GET /reads/{id} - 200 aborted 10 B 1.5 ms r-1\n']);
});

test('writes a JSON line per message and request otherwise', () => {
  const { lines, logger } = record({}, false);
  logger.error('failed\nbadly: https://a.example/x?sig=s3cret');
  logger.access({ ...RECORD, object: 'reads/eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.s3cret' });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 'error',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      msg: 'failed\nbadly: https://a.example/x?[redacted]',
    },
    { level: 'info', time: expect.any(String) as string, msg: 'request', ...RECORD, object: 'reads/[redacted]' },
  ]);
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
});

test.each([true, false])('drops messages below the level; terminal: %s', (isTerminal) => {
  const { lines, logger } = record({ level: 'warn', access: true }, isTerminal);
  logger.debug('d');
  logger.info('i');
  logger.access(RECORD);
  logger.warn('w');
  logger.error('e');
  expect(lines).toHaveLength(2);
});

test('uses the configured format for any stream', () => {
  const json = record({ format: 'json' }, true);
  json.logger.info('a');
  expect(JSON.parse(json.lines[0] ?? '')).toMatchObject({ msg: 'a' });
  const text = record({ format: 'text' }, false);
  text.logger.info('a');
  expect(text.lines).toEqual(['a\n']);
});

test('applies replaced settings from then on', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = new ReloadableLogger({ format: 'text', level: 'warn' }, { stream });
  const tellAll = (): void => {
    for (const level of ['error', 'warn', 'info', 'debug'] as const) logger[level](level);
    logger.access(RECORD);
  };
  tellAll();
  logger.reload({ format: 'text', level: 'debug', access: true });
  tellAll();
  logger.reload({ format: 'json', level: 'error' });
  tellAll();
  expect(lines.slice(0, 6)).toEqual(['error\n', 'warn\n', 'error\n', 'warn\n', 'info\n', 'debug\n']);
  expect(lines[6]).toContain('/reads/{id} reads/a 200');
  expect(lines.slice(7).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['error']);
});
