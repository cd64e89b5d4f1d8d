const FIRST_BYTES = 256 * 1024;

/** The references of a file's rows one behind the other in one buffer: as texts they would take several times as much. */
export class RowReferences {
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private readonly ends: Int32Array;
  private readonly rows: Int32Array;
  private count = 0;
  private order = new Int32Array(0);

  constructor(most: number) {
    this.ends = new Int32Array(most);
    this.rows = new Int32Array(most);
  }

  /** How many there are. */
  get length(): number {
    return this.count;
  }

  /** Takes the reference of a row, and returns its place. */
  add(reference: Buffer, row: number): number {
    const start = this.startOf(this.count);
    const end = start + reference.length;
    if (end > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, end));
      this.bytes.copy(larger, 0, 0, start);
      this.bytes = larger;
    }
    reference.copy(this.bytes, start);
    this.ends[this.count] = end;
    this.rows[this.count] = row;
    this.count += 1;
    return this.count - 1;
  }

  /** Orders them by bytes, which of UTF-8 is by code points; returns the rows whose reference a row before has, in their order. */
  sort(): number[] {
    // A number each, as the places are: ties stay in the order of the rows.
    this.order = Int32Array.from({ length: this.count }, (_, place) => place).sort(
      (one, other) => this.compare(one, other) || one - other,
    );
    const repeated: number[] = [];
    for (let at = 1; at < this.count; at += 1) {
      const place = this.placeOf(at);
      if (this.compare(this.placeOf(at - 1), place) === 0) repeated.push(this.rowOf(place));
    }
    return repeated.sort((one, other) => one - other);
  }

  /** The place of the reference that is the so-manyth by order. */
  placeOf(order: number): number {
    return this.order[order] ?? 0;
  }

  /** The row of a place. */
  rowOf(place: number): number {
    return this.rows[place] ?? 0;
  }

  /** The reference of a place. */
  textOf(place: number): string {
    return this.bytes.toString('utf8', this.startOf(place), this.ends[place]);
  }

  private compare(one: number, other: number): number {
    const { bytes, ends } = this;
    return bytes.compare(bytes, this.startOf(other), ends[other], this.startOf(one), ends[one]);
  }

  private startOf(place: number): number {
    return place === 0 ? 0 : (this.ends[place - 1] ?? 0);
  }
}
