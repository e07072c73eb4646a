/**
 * Only one in this many generated inputs is tried outside CI, so that all tests take minutes rather than a quarter of an hour.
 */
const LOCAL_DIVISOR = process.env['CI'] === 'true' ? 1 : 10;

/**
 * Returns how many generated inputs a test tries: `count` if the environment variable CI is `true`, and a tenth otherwise.
 * A test that expects a least number of outcomes scales that as well.
 */
export function volume(count: number): number {
  return Math.ceil(count / LOCAL_DIVISOR);
}

/** Returns the cases that a test tries: all of them if the environment variable CI is `true`, and every tenth otherwise. */
export function sample<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, index) => index % LOCAL_DIVISOR === 0);
}
