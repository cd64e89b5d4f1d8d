/** A queue in which each key has a turn after the other's, however many of one key wait. */
export class FairQueue<T> {
  private readonly lines = new Map<string, T[]>();
  private size = 0;

  get length(): number {
    return this.size;
  }

  /** How many go before one more of this key, at most. */
  ahead(key: string): number {
    const own = this.lines.get(key)?.length ?? 0;
    const keys = this.lines.size + (own === 0 ? 1 : 0);
    return Math.min(this.size, (own + 1) * keys - 1);
  }

  push(key: string, item: T): void {
    const line = this.lines.get(key);
    if (line) line.push(item);
    else this.lines.set(key, [item]);
    this.size += 1;
  }

  /** Whether a key has fewer than its share: another would have more than it even with one more of this. */
  isBelowShare(key: string): boolean {
    return (this.longest()?.[1].length ?? 0) > (this.lines.get(key)?.length ?? 0) + 1;
  }

  /** Takes out the last of the key that has the most. */
  pop(): T | undefined {
    const [key, line] = this.longest() ?? [];
    if (key === undefined || !line) return undefined;
    this.size -= 1;
    if (line.length === 1) this.lines.delete(key);
    return line.pop();
  }

  private longest(): [string, T[]] | undefined {
    let longest: [string, T[]] | undefined;
    for (const entry of this.lines) if (!longest || entry[1].length > longest[1].length) longest = entry;
    return longest;
  }

  /** The next in turn; undefined when nothing waits. */
  shift(): T | undefined {
    const [next] = this.lines;
    if (!next) return undefined;
    const [key, line] = next;
    const item = line.shift();
    // Its next turn comes after everybody else's.
    this.lines.delete(key);
    if (line.length > 0) this.lines.set(key, line);
    this.size -= 1;
    return item;
  }

  /** Takes out what a predicate says. */
  remove(isOver: (item: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [key, line] of this.lines) {
      const kept = line.filter((item) => !isOver(item) || (removed.push(item), false));
      if (kept.length > 0) this.lines.set(key, kept);
      else this.lines.delete(key);
    }
    this.size -= removed.length;
    return removed;
  }
}
