import { formatCount, formatRegion } from '../../stored-file/parse-region.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import type { ExplainedSegment, FileExplanation } from './explain-file.js';
import type { ExplainedBlock, UrlExplanation } from './explain-url.js';

/** The maximum number of regions that a table row lists. */
const NAMED_REGIONS = 3;

/** Formats an explanation as a table followed by totals. Control characters in names are escaped. */
export function formatExplanation(explanation: FileExplanation | UrlExplanation): string {
  const { source, regions, format } = explanation;
  const lines = 'segments' in explanation ? describeFile(explanation) : describeTicket(explanation);
  const regionLine = regions === undefined ? [] : [`regions: ${regions.map(formatRegion).join(' ')}`];
  return `${[`${source}: ${format}`, ...regionLine, '', ...lines].map(escapeControls).join('\n')}\n`;
}

function describeFile(explanation: FileExplanation): string[] {
  const { segments, precision, index, fileBytes, plannedBytes, inlineBytes } = explanation;
  const share = fileBytes === 0 ? 0 : (100 * plannedBytes) / fileBytes;
  return [
    ...formatTable([['', 'kind', 'class', 'byte range', 'bytes', 'records'], ...segments.map(toRow)]),
    '',
    `precision: ${precision}${index === undefined ? '' : `, index: ${index}`}`,
    `planned: ${formatCount(plannedBytes)} of ${formatCount(fileBytes)} bytes (${share.toPrecision(3)} %), plus ${formatCount(inlineBytes)} inline`,
    ...measuredLines(explanation),
  ];
}

function measuredLines({ answerBytes, minimalBytes }: FileExplanation): string[] {
  if (answerBytes === undefined) return [];
  const result = `result: ${formatCount(answerBytes)} bytes`;
  if (minimalBytes === undefined) return [result];
  const ratio = (answerBytes / minimalBytes).toFixed(2);
  return [`${result}, ${ratio} times the smallest file with the same records (${formatCount(minimalBytes)})`];
}

function toRow(segment: ExplainedSegment, index: number): string[] {
  const { kind, class: part, bytes, filteredTo } = segment;
  return [String(index + 1), kind, part, formatRange(segment), formatCount(bytes), formatFilter(kind, filteredTo)];
}

function formatFilter(kind: ExplainedSegment['kind'], filteredTo: ExplainedSegment['filteredTo']): string {
  if (filteredTo === undefined) return kind === 'inline' ? '' : 'all';
  const named = filteredTo.slice(0, NAMED_REGIONS).map(formatRegion).join(' ');
  const more = filteredTo.length - NAMED_REGIONS;
  return more > 0 ? `${named} and ${more} more` : named;
}

function formatRange({ byteStart, byteEnd }: { readonly byteStart?: number; readonly byteEnd?: number }): string {
  return byteStart === undefined || byteEnd === undefined ? '' : `${formatCount(byteStart)}-${formatCount(byteEnd)}`;
}

function describeTicket({ blocks, inlineBytes, answerBytes, md5 }: UrlExplanation): string[] {
  const total = answerBytes === undefined ? '' : `, total: ${formatCount(answerBytes)} bytes`;
  return [
    ...formatTable([['', 'kind', 'class', 'range', 'bytes', 'from'], ...blocks.map(toBlockRow)]),
    '',
    `blocks: ${blocks.length}, inline: ${formatCount(inlineBytes)} bytes${total}`,
    ...(md5 === undefined ? [] : [`md5: ${md5}`]),
  ];
}

function toBlockRow(block: ExplainedBlock, index: number): string[] {
  const { kind, class: part = '', bytes, origin = '' } = block;
  return [String(index + 1), kind, part, formatRange(block), bytes === undefined ? '' : formatCount(bytes), origin];
}

/** Aligns the columns. Those of numbers, recognised by their title, are aligned to the right. */
function formatTable(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(escapeControls));
  const [header = []] = rows;
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = header.map((title) => ['', 'byte range', 'range', 'bytes'].includes(title));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
