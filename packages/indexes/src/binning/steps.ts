/** A computation that can be interrupted wherever it yields: after each part of an index, about a millisecond of work. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps at once. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Words of an index that are visited in one step. */
export const STEP_WORDS: number = 2 ** 17;
