/** Time and chance as the backends over HTTP see them: tests replace them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after some milliseconds, unless the function that it returns is called before. */
  schedule(milliseconds: number, callback: () => void): () => void;
  /** 0 ≤ x < 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
