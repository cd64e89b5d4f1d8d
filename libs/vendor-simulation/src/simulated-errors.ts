/** The vendor is unavailable (a 5xx over HTTP) and took nothing; the same key may be submitted again. */
export class SimulatedOutage extends Error {
  override readonly name = 'SimulatedOutage';
  constructor() {
    super('The vendor is unavailable.');
  }
}

/** The vendor delivered and the connection was lost before its response; an inquiry returns the outcome. */
export class SimulatedDrop extends Error {
  override readonly name = 'SimulatedDrop';
  constructor() {
    super('The connection to the vendor was lost before its response.');
  }
}

/** The key was submitted before with other values; nothing was delivered for these. */
export class SimulatedKeyReuse extends Error {
  override readonly name = 'SimulatedKeyReuse';
  constructor(readonly idempotencyKey: string) {
    super('The idempotency key was used with other values.');
  }
}
