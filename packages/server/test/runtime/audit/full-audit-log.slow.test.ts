import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { start } from '../../built-command.js';

test.skipIf(process.platform !== 'linux')(
  'a server whose audit log is full refuses tickets until a reload names another',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    copyFileSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
    const config = join(folder, 'htskit.yaml');
    const configure = (audit: string): void =>
      writeFileSync(config, JSON.stringify({ audit, htsget: { locations: [{ location: 'a.bam' }] } }));
    configure('/dev/full');
    const { child, url } = await start('--config', config);
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    const request = async (path: string): Promise<number> => {
      const response = await fetch(url + path);
      await response.arrayBuffer();
      return response.status;
    };
    expect(await request('/reads/a')).toBe(200);
    const statuses = new Set<number>();
    for (let count = 0; count < 500; count++) statuses.add(await request('/reads/a'));
    expect([...statuses]).toEqual([503]);
    expect([await request('/healthz'), await request('/')]).toEqual([200, 200]);
    configure('audit.jsonl');
    child.kill('SIGHUP');
    await expect.poll(() => request('/reads/a'), { interval: 100 }).toBe(200);
    expect(readFileSync(join(folder, 'audit.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1);
    expect(log.match(/cannot write the audit log/g)).toHaveLength(1);
  },
);
