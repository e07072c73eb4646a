// Opens the page of the example `browser-coverage`, and checks what its README says that it shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { findChromium } from '../../runtimes/chromium.mjs';

const TIMEOUT_MILLISECONDS = 60_000;

/** Throws if the page at the port shows another mean depth than the README of the folder says, or draws nothing. */
export async function checkCoverage(folder, port) {
  const [, expected] = /`(mean depth [\d.]+)`/.exec(readFileSync(join(folder, 'README.md'), 'utf8'));
  const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const output = await page.waitForFunction(() => document.querySelector('output').value, undefined, {
      timeout: TIMEOUT_MILLISECONDS,
    });
    const shown = await output.jsonValue();
    if (shown !== expected) throw new Error(`the page shows "${shown}" instead of "${expected}"`);
    const filled = await page.evaluate(() => {
      const { width, height } = document.querySelector('canvas');
      const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
      return data.some((value) => value > 0);
    });
    if (!filled) throw new Error('the page draws nothing');
  } finally {
    await browser.close();
  }
}
