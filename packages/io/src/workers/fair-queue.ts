/** A queue in which keys take turns: after an item of one key, the next item comes from another key if one has any. */
export class FairQueue<Item> {
  /** The items of each key, oldest first. The key whose turn is next comes first. */
  readonly #itemsByKey = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of keys that have items. */
  get keyCount(): number {
    return this.#itemsByKey.size;
  }

  /** Returns how many items of a key are waiting. */
  count(key: string): number {
    return this.#itemsByKey.get(key)?.length ?? 0;
  }

  add(key: string, item: Item): void {
    const items = this.#itemsByKey.get(key);
    if (items === undefined) this.#itemsByKey.set(key, [item]);
    else items.push(item);
    this.#size++;
  }

  /** Removes and returns the next item that `accepts` returns true for, or returns undefined if there is none. */
  take(accepts: (item: Item) => boolean): Item | undefined {
    for (const [key, items] of this.#itemsByKey) {
      const index = items.findIndex(accepts);
      if (index === -1) continue;
      const [item] = items.splice(index, 1);
      this.#size--;
      this.#itemsByKey.delete(key);
      if (items.length > 0) this.#itemsByKey.set(key, items);
      return item;
    }
    return undefined;
  }

  /** Removes and returns the items of a key that `accepts` returns true for. */
  remove(key: string, accepts: (item: Item) => boolean): Item[] {
    const items = this.#itemsByKey.get(key) ?? [];
    const removed = items.filter(accepts);
    if (removed.length === 0) return removed;
    this.#size -= removed.length;
    if (removed.length === items.length) this.#itemsByKey.delete(key);
    else items.splice(0, items.length, ...items.filter((item) => !removed.includes(item)));
    return removed;
  }
}
