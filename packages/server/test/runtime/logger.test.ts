import fs, { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { excessGrowth } from '@htskit/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LogSection } from '../../src/config/sections/operation.js';
import { type AccessRecord, BufferedLines, createLogger, ReloadableLogger, redact } from '../../src/runtime/logger.js';

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

describe('JSON lines', () => {
  function logToFile() {
    const folder = mkdtempSync(join(tmpdir(), 'htskit-log-'));
    const path = join(folder, 'log');
    // It stays open, because pino flushes it at the end of the process.
    const fd = openSync(path, 'w');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const write = vi.spyOn(fs, 'write');
    onTestFinished(() => {
      vi.useRealTimers();
      write.mockRestore();
      rmSync(folder, { recursive: true });
    });
    const logger = new ReloadableLogger({ format: 'json' }, { lines: new BufferedLines(fd) });
    const messages = (): string[] =>
      Array.from(readFileSync(path, 'utf8').matchAll(/"msg":"(.*?)"/g), ([, text = '']) => text);
    return { logger, write, messages };
  }

  test('are written at once, also while another write is in progress', async () => {
    const { logger, write, messages } = logToFile();
    for (const message of ['a', 'b', 'c']) logger.info(message);
    await expect.poll(messages).toEqual(['a', 'b', 'c']);
    expect(write).toHaveBeenCalledTimes(2);
  });

  test('about requests wait for others', async () => {
    const { logger, write, messages } = logToFile();
    logger.access(RECORD);
    logger.access(RECORD);
    vi.advanceTimersByTime(99);
    expect(write).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await expect.poll(messages).toEqual(['request', 'request']);
    expect(write).toHaveBeenCalledTimes(1);
  });

  test('leave no timer and no write once they are written, and none wait before the first', async () => {
    const { logger, write, messages } = logToFile();
    vi.advanceTimersByTime(1000);
    expect(write).not.toHaveBeenCalled();
    logger.access(RECORD);
    logger.reload({ format: 'json', level: 'debug' });
    logger.debug('a');
    logger.reload({ format: 'json', level: 'info' });
    await expect.poll(messages).toEqual(['request', 'a']);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(write).toHaveBeenCalledTimes(1);
  });
});

/** Prefixes of secrets, whose repetition makes a pattern start over at each of them. */
const HOSTILE = ['?', '/', 'eyJ-', 'a://', 'bearer ', '?a=', 'x-amz-'];

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl';

test.each([
  ['Authorization: Bearer s3cret-t0ken', 'Authorization: [redacted]'],
  ['{"authorization":"Basic s3cret"}', '{"authorization":[redacted]'],
  ['the token Bearer s3cret was refused', 'the token Bearer [redacted] was refused'],
  ['Cookie: session=s3cret; other=s3cret', 'Cookie: [redacted]'],
  [`the token ${JWT} has expired`, 'the token [redacted] has expired'],
  [`the tokens session-${JWT} and eyJ-${JWT}`, 'the tokens session-[redacted] and eyJ-[redacted]'],
  ['GET /blocks/s3cret.s3cret failed', 'GET /blocks/[redacted] failed'],
  [
    'fetch https://bucket.example/a.bam?X-Amz-Signature=s3cret&x=1 failed',
    'fetch https://bucket.example/a.bam?[redacted] failed',
  ],
  ['fetch https://host.example/a.bam?s3cret failed', 'fetch https://host.example/a.bam?[redacted] failed'],
  ['fetch https://host.example/a?%73ecret&s3cret', 'fetch https://host.example/a?[redacted]'],
  ['reads/a?s3cret', 'reads/a?[redacted]'],
  ['reads/a?$token=s3cret', 'reads/a?[redacted]'],
  ['https://user:s3cret@host.example/a', 'https://[redacted]@host.example/a'],
  ['with access_token=s3cret, and on', 'with access_token=[redacted] and on'],
])('%s', (message, expected) => {
  expect(redact(message)).toBe(expected);
});

test('keeps a message without secrets', () => {
  for (const message of ['reads/a: is it "b"?', 'a basic error in /data/a?.bam', 'https://host.example/a.bam']) {
    expect(redact(message)).toBe(message.replace('basic error', 'basic [redacted]'));
  }
});

test('cuts a long message', () => {
  for (const unit of HOSTILE) expect(redact(unit.repeat(1_000_000)).length).toBeLessThan(100_000);
});

test.each(HOSTILE)('takes bounded time for a long repetition of %j', (unit) => {
  // The space keeps short messages from being passed unread.
  const repeat = (length: number): string => ` ${unit.repeat(length / unit.length)}`;
  expect(excessGrowth(repeat, redact, { size: 2_500 })).toBeLessThan(8);
});

test('takes linear time for many starts of a token within the length that is kept', () => {
  const redactOften = (text: string): void => {
    for (let i = 0; i < 1000; i++) redact(text);
  };
  expect(excessGrowth((length) => 'eyJ-'.repeat(length / 4), redactOften, { size: 250 })).toBeLessThan(8);
});
