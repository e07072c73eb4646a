import type { Page } from 'playwright-core';

/** A part of a page, in pixels. */
export type Area = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/**
 * Returns the heights of the blue bars in each of `count` equal parts of an area, from left to right: the pixels of the column that
 * has the most blue ones.
 */
export async function drawnHeights(page: Page, area: Area, count: number): Promise<readonly number[]> {
  const image = (await page.screenshot({ clip: area })).toString('base64');
  return page.evaluate(measureBlue, { image, count });
}

/** Runs in the page, which decodes the image. */
async function measureBlue({ image, count }: { image: string; count: number }): Promise<number[]> {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${image}`)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (context === null) throw new Error('there is no canvas');
  context.drawImage(bitmap, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const isBlue = (pixel: number): boolean => Number(data[4 * pixel + 2]) - Number(data[4 * pixel]) > 60;
  const heights = Array.from({ length: count }, () => 0);
  for (let x = 0; x < width; x++) {
    let blue = 0;
    for (let y = 0; y < height; y++) blue += isBlue(y * width + x) ? 1 : 0;
    const part = Math.floor((x / width) * count);
    heights[part] = Math.max(heights[part] ?? 0, blue);
  }
  return heights;
}
