/** Cells to the left and to the right of 1; a cell is a factor of √2. */
const [LEFT, RIGHT] = [6, 8];

/** Returns a ratio as a bar of text on a logarithmic scale: to the right of the line if ours is ahead, otherwise to the left. */
export function formatBar(ratio) {
  const cells = Math.round(2 * Math.log2(ratio));
  const left = draw(-cells, { size: LEFT, end: '‹' });
  const right = draw(cells, { size: RIGHT, end: '›' });
  return `${[...left].reverse().join('')}┃${right}`;
}

function draw(cells, { size, end }) {
  if (cells > size) return `${'█'.repeat(size - 1)}${end}`;
  return '█'.repeat(Math.max(0, cells)).padEnd(size, '·');
}
