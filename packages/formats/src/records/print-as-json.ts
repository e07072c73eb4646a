/** The name of the method that Node, Bun, Deno and workerd call to print an object (`util.inspect.custom`). */
const INSPECT: symbol = Symbol.for('nodejs.util.inspect.custom');

type Inspect = (value: unknown, options?: object) => string;

/**
 * Lets `console.log` print the views of a class by their `toJSON`: it would print their private state. A view that cannot be
 * decoded, or was not moved to a record, is printed with its error, since printing must not throw.
 */
export function printAsJson(name: string, prototype: { toJSON(): unknown }): void {
  const value = function inspectRecord(
    this: typeof prototype,
    _depth: number,
    options?: object,
    inspect?: Inspect,
  ): unknown {
    try {
      const fields = this.toJSON();
      // The default depth would hide the values of samples.
      return inspect === undefined ? fields : `${name} ${inspect(fields, { ...options, depth: Infinity })}`;
    } catch (error) {
      return `${name} <${error instanceof Error ? error.message : String(error)}>`;
    }
  };
  Object.defineProperty(prototype, INSPECT, { value });
}
