// Formats tables of Markdown.

/**
 * Returns a table whose columns are padded to their widest cell, as formatters of Markdown do. The columns in `numbers` are aligned to
 * the right. The cells are Markdown: see `escapeCell`.
 */
export function formatMarkdownTable(header, lines, numbers) {
  const widths = header.map((name, column) => Math.max(3, name.length, ...lines.map((line) => line[column].length)));
  const isNumber = (column) => numbers.has(header[column]);
  const pad = (text, column) => (isNumber(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]));
  const rule = widths.map((width, column) => (isNumber(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [header.map(pad), rule, ...lines.map((line) => line.map(pad))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Escapes text for a cell of a table. */
export function escapeCell(text) {
  return text.replace(/[\\|*_`[\]]/g, '\\$&').replaceAll('<', '&lt;');
}
