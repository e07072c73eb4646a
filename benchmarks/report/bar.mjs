/** Cells to the left and to the right of 1; a cell is a factor of √2. */
const [LEFT, RIGHT] = [6, 8];

/** Returns a ratio as a bar of text on a log scale: to the right of the line if ours is ahead, otherwise to the left. */
export function formatBar(ratio) {
  const cells = Math.round(2 * Math.log2(ratio));
  const left = cells < -LEFT ? `‹${'█'.repeat(LEFT - 1)}` : '█'.repeat(Math.max(0, -cells)).padStart(LEFT, '·');
  const right = cells > RIGHT ? `${'█'.repeat(RIGHT - 1)}›` : '█'.repeat(Math.max(0, cells)).padEnd(RIGHT, '·');
  return `${left}┃${right}`;
}
