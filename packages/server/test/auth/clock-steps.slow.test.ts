import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fixturePath, JsonServer } from '@htskit/testing';
import { type Claims, createKey, jwtOf, keySetOf, now, signToken } from '@htskit/testing/token-issuer';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { cli } from '../built-command.js';

// A whole server whose clock is set while it runs, by libfaketime (package `faketime` of Debian).

const faketime = spawnSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).stdout?.trim();
if (!faketime && process.env['CI'] === 'true') throw new Error('faketime is not installed');
const AHEAD_SECONDS = 7200;

let folder: string;
let issuer: JsonServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  copyFileSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
  issuer = await JsonServer.start({});
  setClock(AHEAD_SECONDS);
});

afterEach(async () => {
  await issuer.stop();
  rmSync(folder, { recursive: true });
});

/** Sets the clock of the server so many seconds ahead. */
function setClock(seconds: number): void {
  writeFileSync(join(folder, 'clock'), `+${seconds}`);
}

/** Starts a server that accepts tokens of the issuer, and returns a function that requests a ticket with a token. */
async function start(): Promise<(token: Promise<string>) => Promise<number>> {
  const config = join(folder, 'htskit.yaml');
  const locations = [{ location: 'a.bam' }];
  writeFileSync(config, JSON.stringify({ htsget: { locations }, auth: { jwt: jwtOf(issuer) } }));
  const env = {
    ...process.env,
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: join(folder, 'clock'),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--config', config], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = line.replace('listening on ', '');
  return async (token) => {
    const response = await fetch(`${url}/reads/a`, { headers: { authorization: `Bearer ${await token}` } });
    await response.arrayBuffer();
    return response.status;
  };
}

/** Claims of a token that is valid by a clock that is so many seconds ahead. */
function claimsAt(seconds: number): Claims {
  return { iat: now() + seconds, exp: now() + seconds + 600, scope: 'read:genomic_reads' };
}

test.skipIf(!faketime)(
  'keys that were fetched while the clock was ahead are replaced after it was set right',
  async () => {
    const [withdrawn, next] = [await createKey('one'), await createKey('two')];
    issuer.document = keySetOf(withdrawn);
    const request = await start();
    expect(await request(signToken(withdrawn, claimsAt(AHEAD_SECONDS)))).toBe(200);
    expect(await request(signToken(withdrawn, claimsAt(0)))).toBe(401);
    setClock(0);
    issuer.document = keySetOf(next);
    // An unknown key is looked for once the keys are 30 seconds old.
    await expect.poll(() => request(signToken(next, claimsAt(0))), { interval: 1000 }).toBe(200);
    expect(await request(signToken(withdrawn, claimsAt(0)))).toBe(401);
  },
);

test.skipIf(!faketime)(
  'an issuer that was down while the clock was ahead is asked again after it was set right',
  async () => {
    const key = await createKey('one');
    const { answer } = issuer;
    issuer.answer = (response) => response.writeHead(500).end();
    const request = await start();
    expect(await request(signToken(key, claimsAt(AHEAD_SECONDS)))).toBe(503);
    setClock(0);
    issuer.document = keySetOf(key);
    issuer.answer = answer;
    await expect.poll(() => request(signToken(key, claimsAt(0))), { interval: 1000 }).toBe(200);
  },
);
