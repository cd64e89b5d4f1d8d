/** A page object. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly pagination: {
    readonly page: number;
    readonly pageSize: number;
    readonly totalCount: number;
    readonly totalPages: number;
  };
}

/** A top-up order as partners read it. */
export interface TopupOrder {
  readonly orderId: string;
  readonly orderGlobalId: string;
  readonly sagaId: string;
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly geoScopeGlobalId: string;
  readonly externalReference: string;
  readonly phoneNumber: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly statusDetail: {
    readonly productType: string;
    readonly statusCode: string;
    readonly description: string | null;
  };
  readonly vendorOrderId: string | null;
  readonly errorMessage: string | null;
  readonly failureCode: string | null;
  readonly submittedAt: string;
  readonly completedAt: string | null;
  readonly currentRetryCount: number;
  readonly nextPollAt: string | null;
  readonly displayCurrency: string | null;
  readonly rate: number | null;
  readonly amountDisplay: number | null;
}

/** A wallet's balance. */
export interface Balance {
  readonly currency: string;
  readonly currentBalance: number;
  readonly availableBalance: number;
  readonly displayCurrency: string | null;
  readonly rate: number | null;
  readonly currentBalanceDisplay: number | null;
  readonly availableBalanceDisplay: number | null;
}

/** A line of the wallet's ledger. */
export interface Transaction {
  readonly transactionId: number;
  readonly timestamp: string;
  readonly transactionType: 'Debit' | 'Credit';
  readonly referenceType: string;
  readonly referenceId: string;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly notes: string;
}

/** A partner as operators read it. */
export interface Partner {
  readonly id: string;
  readonly globalId: string;
  readonly name: string;
  readonly parentPartnerId: string | null;
  readonly displayCurrency: string | null;
  readonly isActive: boolean;
}
