/**
 * One event of the loop: the next item or the end of the items, their failure, or the result of the oldest pending
 * item.
 */
type Step<Item, Result> =
  | { readonly kind: 'item'; readonly next: IteratorResult<Item, void> }
  | { readonly kind: 'failure'; readonly error: unknown }
  | { readonly kind: 'result'; readonly result: PromiseSettledResult<Result> };

/** How items become results, and how many of them at a time. */
export interface MapInOrderOptions<Item, Result> {
  readonly run: (item: Item) => Promise<Result>;
  /** The maximum number of items in progress. */
  readonly ahead: number;
  /** The weight of the items in progress above which none is added. Default: it does not matter. */
  readonly maxWeight?: number;
  /** Returns the weight of an item, by default 0. */
  readonly weigh?: (item: Item) => number;
}

/**
 * Yields the results of `run` for each item, in order and as soon as they are available, with up to `ahead` items in
 * progress. If `items` throws, the results of the items before the failure are yielded first.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncGenerator<Item, void>,
  { run, ahead, weigh = () => 0, maxWeight = 0 }: MapInOrderOptions<Item, Result>,
): AsyncGenerator<Result, void> {
  const pending: Promise<Step<Item, Result>>[] = [];
  const weights: number[] = [];
  const hasRoom = (): boolean =>
    pending.length < ahead && weights.reduce((sum, weight) => sum + weight, 0) <= maxWeight;
  let next: Promise<Step<Item, Result>> | undefined;
  let hasEnded = false;
  let failure: { readonly error: unknown } | undefined;
  try {
    while (!hasEnded || pending.length > 0) {
      if (next === undefined && !hasEnded && hasRoom()) next = toItemStep(items.next());
      // If both are available, the result is taken before the item.
      const step = await Promise.race([...pending.slice(0, 1), ...(next === undefined ? [] : [next])]);
      if (step.kind === 'result') {
        await pending.shift();
        weights.shift();
        if (step.result.status === 'rejected') throw step.result.reason;
        yield step.result.value;
      } else {
        next = undefined;
        if (step.kind === 'failure') failure = { error: step.error };
        if (step.kind === 'failure' || step.next.done === true) hasEnded = true;
        else {
          pending.push(toResultStep(run(step.next.value)));
          weights.push(weigh(step.next.value));
        }
      }
    }
  } finally {
    const stopped = items.return();
    // A caller who stops early must not wait for an item that is still to come.
    if (next === undefined) await stopped;
    else stopped.catch(() => undefined);
  }
  if (failure !== undefined) throw failure.error;
}

async function toItemStep<Item, Result>(promise: Promise<IteratorResult<Item, void>>): Promise<Step<Item, Result>> {
  try {
    return { kind: 'item', next: await promise };
  } catch (error) {
    return { kind: 'failure', error };
  }
}

async function toResultStep<Item, Result>(promise: Promise<Result>): Promise<Step<Item, Result>> {
  const [result] = await Promise.allSettled([promise]);
  return { kind: 'result', result };
}
