/** Formats an integer with commas between thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
