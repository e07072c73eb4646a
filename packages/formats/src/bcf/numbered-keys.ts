import type { SelectedKeys } from '../records/key-selection.js';

/** The keys that a selection keeps, by their numbers in the dictionary. */
export class NumberedKeys {
  readonly #strings: ReadonlyMap<number, string>;
  readonly #selected: SelectedKeys;
  /** Filled on demand: a header may declare many more keys than its records use. */
  readonly #isKept = new Map<number, boolean>();
  #numbers: ReadonlyMap<string, number> | undefined;

  constructor(selected: SelectedKeys, strings: ReadonlyMap<number, string>) {
    this.#strings = strings;
    this.#selected = selected;
  }

  /** Returns whether a key is kept, or undefined if the header does not declare it. */
  isKept(number: number): boolean | undefined {
    const known = this.#isKept.get(number);
    const name = known === undefined ? this.#strings.get(number) : undefined;
    if (name === undefined) return known;
    const isKept = this.#selected.hasName(name);
    this.#isKept.set(number, isKept);
    return isKept;
  }

  /** Returns the name of a key; undefined if the header does not declare it. */
  nameOf(number: number): string | undefined {
    return this.#strings.get(number);
  }

  /** Returns the number of a key; undefined if the header does not declare it. */
  numberOf(name: string): number | undefined {
    this.#numbers ??= new Map(Array.from(this.#strings, ([number, known]) => [known, number]));
    return this.#numbers.get(name);
  }
}
