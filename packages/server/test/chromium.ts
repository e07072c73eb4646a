import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Whether the tests in a browser can run. */
export const hasChromium: boolean = existsSync(PATH);
// Nothing may be left out there.
if (!hasChromium && process.env['CI'] === 'true') throw new Error(`there is no Chromium at ${PATH}`);

/** Starts a browser that resolves no names beyond loopback and uses no graphics card. */
export function launchChromium(): Promise<Browser> {
  const hosts = 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';
  return chromium.launch({
    executablePath: PATH,
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${hosts}`],
  });
}
