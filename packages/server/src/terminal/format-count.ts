/** Formats an integer with commas between thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a count with its noun, such as `1 object`, `2 objects` or `100 or more objects`. */
export function countOf(count: number, noun: string, suffix = ''): string {
  return `${formatCount(count)}${suffix} ${noun}${count === 1 && suffix === '' ? '' : 's'}`;
}
