import { BgzfError } from '../src/index.js';

/** Returns the result, or undefined if a BgzfError was error. Other errors are error again. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof BgzfError) return undefined;
    throw error;
  }
}

export async function attemptAsync<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof BgzfError) return undefined;
    throw error;
  }
}
