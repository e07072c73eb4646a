import { escapeControls } from './escape-controls.js';
import { textWidth } from './text-width.js';

/** Aligns the columns of rows, those with a title in `numeric` to the right. The first row has the titles. */
export function formatTable(cells: readonly (readonly string[])[], numeric: readonly string[]): string[] {
  const rows = cells.map((row) => row.map(escapeControls));
  const [header = []] = rows;
  const widths = header.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))));
  const isNumeric = header.map((title) => numeric.includes(title));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - textWidth(cell));
        return isNumeric[column] ? `${padding}${cell}` : `${cell}${padding}`;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Formats JSON. Escapes every control character, not only those that JSON requires: a terminal would interpret them. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escapeControls).join('\n')}\n`;
}
