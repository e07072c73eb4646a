import type { Locator, Page } from 'playwright-core';

/** A second click sooner than this would be a double click, which zooms. */
const POPOVER_MILLISECONDS = 3000;
const MOST_ATTEMPTS = 10;

const POPOVER = '.igv-ui-popover:visible';
/** The button of a pop-up that closes it. */
const CLOSE = '> div:first-child > div:last-child';

/** A place in the track: `x` is a fraction of its width, `y` is in pixels. */
interface TrackPoint {
  readonly x: number;
  readonly y: number;
}

/** Uses igv.js on the page of an object, as a person does. */
export class IgvPage {
  readonly page: Page;
  readonly #track: Locator;

  private constructor(page: Page) {
    this.page = page;
    this.#track = page.locator('.igv-viewport').filter({ has: page.locator('.igv-track-label') });
  }

  /** Opens igv.js, and waits until its track is drawn. */
  static async open(page: Page): Promise<IgvPage> {
    const igv = new IgvPage(page);
    await page.getByRole('tab', { name: 'Genome browser' }).click();
    await igv.#track.waitFor();
    await page.waitForLoadState('networkidle');
    return igv;
  }

  /** Hovers and clicks until a pop-up with a text opens: what is there may not be drawn yet. Returns its text, and closes it. */
  async clickFor(point: TrackPoint, text: string): Promise<string> {
    const popover = this.page.locator(POPOVER, { hasText: text });
    const click = async (): Promise<boolean> => {
      // One without the text would be in the way.
      for (const other of await this.page.locator(POPOVER).all()) await other.locator(CLOSE).click();
      const { x, y } = await this.#locate(point);
      await this.page.mouse.move(x, y);
      await this.page.mouse.click(x, y);
      return popover.waitFor({ timeout: POPOVER_MILLISECONDS }).then(
        () => true,
        () => false,
      );
    };
    for (let attempts = 1; !(await click()); attempts++) {
      if (attempts === MOST_ATTEMPTS) throw new Error(`no pop-up has the text ${text}`);
    }
    const shown = (await popover.textContent()) ?? '';
    await popover.locator(CLOSE).click();
    return shown;
  }

  /** Chooses an item of the context menu. */
  async clickMenu(point: TrackPoint, item: string): Promise<void> {
    const { x, y } = await this.#locate(point);
    await this.page.mouse.click(x, y, { button: 'right' });
    await this.page
      .locator('.igv-menu-popup:visible, .igv-ui-popover:visible')
      .getByText(item, { exact: true })
      .click();
  }

  /** Opens the menus of the tracks. */
  async clickMenus(): Promise<void> {
    for (const gear of await this.page.locator('.igv-gear-menu-column svg:visible').all()) {
      await gear.click();
      await this.page.locator('.igv-menu-popup:visible').first().waitFor();
      await gear.click();
    }
  }

  /** Enters a place in the search box. */
  async goTo(locus: string): Promise<void> {
    const box = this.page.locator('.igv-search-input');
    await box.fill(locus);
    await box.press('Enter');
    await this.page.waitForLoadState('networkidle');
  }

  /** Closes the message that holds a text. */
  async dismiss(text: string): Promise<void> {
    const dialog = this.page.locator('.igv-ui-alert-dialog-container:visible', { hasText: text });
    await dialog.waitFor();
    await dialog.getByText('OK', { exact: true }).click();
  }

  async #locate({ x, y }: TrackPoint): Promise<{ x: number; y: number }> {
    // The mouse reaches only what is in the window.
    await this.#track.first().evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const box = await this.#track.first().boundingBox();
    if (box === null) throw new Error('igv.js has no track');
    return { x: box.x + box.width * x, y: box.y + y };
  }
}
