/** How far a group is in a partition beside the offset; it travels as the metadata of the committed offset. */
export interface Progress {
  /** Attempts at the next event, the present one included; 0 when none has begun. */
  attempts: number;
  /** Up to here events come one by one, since an attempt at them failed or ended its process. */
  carefulUntil: bigint;
}

/** The metadata of a committed offset. */
export function toMetadata({ attempts, carefulUntil }: Progress): string {
  return `attempts=${attempts};careful-until=${carefulUntil}`;
}

/** Reads the metadata back; that of another program, or none, counts as no attempt. */
export function fromMetadata(metadata: string | null): Progress {
  const [, attempts, carefulUntil] =
    /^attempts=(\d{1,9});careful-until=(\d{1,19})$/.exec(metadata ?? '') ?? [];
  return { attempts: Number(attempts ?? 0), carefulUntil: BigInt(carefulUntil ?? 0) };
}
