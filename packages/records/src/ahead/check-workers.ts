/** Throws RangeError unless the option `workers` is an integer of at least 0. */
export function checkWorkers(workers: number | undefined): void {
  if (workers === undefined || (Number.isInteger(workers) && workers >= 0)) return;
  throw new RangeError(`expected a number of workers, found ${workers}`);
}
