const save = async (): Promise<void> => {};

/** Ends before what it began. */
export function close(): void {
  save();
}
