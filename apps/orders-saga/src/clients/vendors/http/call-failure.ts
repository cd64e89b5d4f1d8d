/** What is known of a call that ended without a response of the contract. */
interface FailureFacts {
  /** The vendor certainly accepted nothing by this call: no byte of it was sent, or the vendor says so. */
  readonly notAccepted: boolean;
  /** It says that the vendor is unwell, so the circuit breaker counts it. */
  readonly isFault: boolean;
}

/** A call to a vendor that ended without a response of the contract. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';

  constructor(
    message: string,
    readonly facts: FailureFacts,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
