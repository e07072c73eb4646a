/** The maximum number of values that are kept. */
const MAX_VALUES = 16;

/** Values that are made once for each key, as long as they are among the latest. */
export class RecentValues<Value> {
  readonly #values = new Map<string, Promise<Value>>();

  /** Returns the value of a key, or makes it. Callers that arrive meanwhile share it, also if it fails. */
  load(key: string, make: () => Promise<Value>): Promise<Value> {
    const value = this.#values.get(key) ?? make();
    // The last key of a map is the latest.
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > MAX_VALUES && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }
}
