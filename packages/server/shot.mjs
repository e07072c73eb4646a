import { chromium } from 'playwright-core';
import { spawn } from 'node:child_process';
const child = spawn('node', ['dist/cli.js', 'serve', '--port', '0', process.argv[2] ?? '../../fixtures'], { stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise((r) => child.stdout.on('data', (d) => { const m = /listening on (\S+)/.exec(d); if (m) r(m[1]); }));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [name, w, h, scheme] of [['wide', 1280, 900, 'light'], ['dark', 1280, 900, 'dark'], ['phone', 390, 844, 'light']]) {
  const page = await browser.newPage({ viewport: { width: w, height: h }, colorScheme: scheme });
  page.on('console', (m) => console.log(name, m.text())); page.on('pageerror', (e) => console.log(name, String(e)));
  if (process.env.MOCK) await page.route('**/coverage/**', (route) => {
    const q = new URL(route.request().url()).searchParams; const n = +q.get('bins');
    const mean = Array.from({ length: n }, (_, i) => 20 + 10 * Math.sin(i / 9) + (i * 7919 % 13));
    return route.fulfill({ json: { estimated: n < 300, mean, max: mean.map((v) => v * 1.4) } });
  });
  await page.goto(`${url}/#/${process.argv[3] ?? 'reads/reads?region=chr1:1,001-20,000'}`);
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/shot-${name}.png` });
  if (name === 'wide') {
    await page.locator('#depth').focus(); await page.keyboard.press('ArrowRight'); await page.waitForTimeout(1500);
    console.log(page.url(), await page.evaluate(() => document.activeElement?.id));
    const box = await page.locator('#depth').boundingBox();
    await page.mouse.move(box.x + 100, box.y + 40); await page.mouse.wheel(0, -300); await page.waitForTimeout(1500); console.log(page.url());
    await page.mouse.move(box.x + 300, box.y + 40); await page.mouse.down(); await page.mouse.move(box.x + 500, box.y + 40, { steps: 5 }); await page.screenshot({ path: `/tmp/shot-drag.png` }); await page.mouse.up(); await page.waitForTimeout(1500); console.log(page.url());
    await page.goBack(); await page.waitForTimeout(500); console.log(page.url());
  }
  await page.close();
}
await browser.close(); child.kill();
