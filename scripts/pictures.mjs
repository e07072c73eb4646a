// Takes the pictures of the page in docs/images: reads of the demo in the light and the dark theme, and a comparison of collections. Needs Chromium, the built
// command and the built page.
//
// Usage: node scripts/pictures.mjs
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const root = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const PLACE = '#/reads/child?region=chr1:33,900-34,900';
const COMPARISON = '#/sequences';
const THEMES = { light: 'page-region.png', dark: 'page-region-dark.png' };

/** Starts the server. Returns its address, and a function that ends it. */
async function serve() {
  const arguments_ = [root('packages/server/dist/cli.js'), 'serve', root('demo'), root('fixtures'), '--port', '0'];
  const server = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface({ input: server.stdout })) {
    const [, address] = /^listening on (http:.+)$/.exec(line) ?? [];
    if (address !== undefined) return { address, close: () => server.kill() };
  }
  throw new Error('the server did not start; run pnpm run build:quiet first');
}

const { address, close } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [colorScheme, name] of Object.entries(THEMES)) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 860 }, colorScheme });
  await page.goto(`${address}/${PLACE}`);
  await page.getByText(/records overlap the region/).waitFor();
  await page.getByText(/Bars end at/).waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: root(`docs/images/${name}`) });
}
const page = await browser.newPage({ viewport: { width: 1100, height: 620 }, colorScheme: 'light' });
await page.goto(`${address}/${COMPARISON}`);
for (const [name, sequences] of [
  ['First collection', '(5 sequences)'],
  ['Second collection', '(4 sequences)'],
]) {
  const select = page.getByRole('combobox', { name });
  const option = select.locator('option', { hasText: sequences }).first();
  await select.selectOption((await option.getAttribute('value')) ?? '');
}
await page.getByRole('button', { name: 'Compare' }).click();
await page.locator('.verdict').waitFor();
await page.screenshot({ path: root('docs/images/page-comparison.png') });
await browser.close();
close();
