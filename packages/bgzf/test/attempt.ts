import { BgzfError } from '../src/index.js';

/** The result, or undefined where a BgzfError was thrown; any other error is passed on. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof BgzfError) return undefined;
    throw thrown;
  }
}

export async function attemptAsync<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (thrown) {
    if (thrown instanceof BgzfError) return undefined;
    throw thrown;
  }
}
