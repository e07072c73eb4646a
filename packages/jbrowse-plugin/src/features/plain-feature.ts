import type { Feature } from '../jbrowse/adapter.js';

/** Returns plain values as a feature. */
export function toFeature(fields: { readonly uniqueId: string; readonly [field: string]: unknown }): Feature {
  return {
    get: (field) => fields[field],
    id: () => fields.uniqueId,
    parent: () => undefined,
    children: () => undefined,
    toJSON: () => fields,
  };
}

/** Tells equal features of a region apart. Features with one key must overlap the same regions, so that each has one id in all. */
export class FeatureIds {
  readonly #prefix: string;
  readonly #counts = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Returns the id of the next feature with a key. */
  next(key: string): string {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return `${this.#prefix}-${key}${count === 0 ? '' : `#${count}`}`;
  }
}
