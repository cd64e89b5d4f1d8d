/** An operator's decision that a movement follows from; kept with it for operators to see (spec §18.4). */
export interface OperatorDecision {
  readonly operator: string;
  /** The request by which it was decided; absent for one that an older version recorded. */
  readonly requestId?: string | undefined;
  /** The other operator, where one had to agree. */
  readonly approvedBy?: string | undefined;
}
