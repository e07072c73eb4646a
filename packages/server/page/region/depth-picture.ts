import { svg } from '../dom.js';

/** Draws values as bars beside each other, up to a height of `greatest`. The picture takes the size of its element. */
export function depthPicture(
  layers: readonly { readonly values: readonly number[]; readonly kind: 'max' | 'mean' }[],
  { greatest, label }: { readonly greatest: number; readonly label?: string },
): SVGSVGElement {
  const width = Math.max(1, ...layers.map(({ values }) => values.length));
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} 100`,
      preserveAspectRatio: 'none',
      class: 'coverage',
      ...(label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label }),
    },
    ...layers.map(({ values, kind }) => svg('polygon', { class: kind, points: outline(values, greatest) })),
  );
}

function outline(values: readonly number[], greatest: number): string {
  const points = values.flatMap((value, at) => {
    const y = (100 * (1 - Math.min(1, value / Math.max(greatest, Number.MIN_VALUE)))).toFixed(1);
    return [`${at},${y}`, `${at + 1},${y}`];
  });
  return `0,100 ${points.join(' ')} ${values.length},100`;
}
