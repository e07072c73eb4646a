/**
 * The results of `run` for each item, in order, while up to `ahead` later ones are under way. Where `items` fails, the
 * results of what it gave before come first.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncGenerator<Item, void>,
  { run, ahead }: { readonly run: (item: Item) => Promise<Result>; readonly ahead: number },
): AsyncGenerator<Result, void> {
  const pending: Promise<Result>[] = [];
  let failure: { readonly error: unknown } | undefined;
  let isDone = false;
  try {
    while (!isDone || pending.length > 0) {
      if (!isDone && pending.length <= ahead) {
        try {
          const next = await items.next();
          isDone = next.done === true;
          if (next.done !== true) pending.push(observed(run(next.value)));
        } catch (error) {
          failure = { error };
          isDone = true;
        }
        continue;
      }
      const [first] = pending.splice(0, 1);
      if (first !== undefined) yield await first;
    }
  } finally {
    await items.return();
  }
  if (failure !== undefined) throw failure.error;
}

/** Whoever awaits the promise is told of its failure; nobody does if the iteration ends before. */
function observed<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}
