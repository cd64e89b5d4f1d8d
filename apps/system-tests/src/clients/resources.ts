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

/** What every order that a vendor delivers shows to partners. */
export interface VendorOrder {
  readonly orderId: string;
  readonly orderGlobalId: string;
  readonly sagaId: string;
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  readonly geoScopeGlobalId: string;
  readonly externalReference: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly statusDetail: {
    readonly productType: string;
    readonly statusCode: string;
    readonly description: string | null;
  };
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

/** A top-up order as partners read it. */
export interface TopupOrder extends VendorOrder {
  readonly phoneNumber: string;
  readonly vendorOrderId: string | null;
}

/** An eSIM order as partners read it. */
export interface EsimOrder extends VendorOrder {
  readonly productSku: string;
  readonly email: string;
  readonly dataAllowance: number;
  readonly validityDays: number;
  readonly esimIccid: string | null;
  readonly esimQrCode: string | null;
  readonly esimActivationCode: string | null;
  readonly esimPlanDetails: string | null;
  /** Absent in lists. */
  readonly esimQrCodeImage?: string | null;
}

/** An order of any product as the unified list shows it. */
export interface OrderSummary {
  readonly productType: string;
  readonly orderId: string;
  readonly orderGlobalId: string;
  readonly externalReference: string;
  readonly status: string;
  readonly amount: number;
}

/** An eSIM plan as partners read it. */
export interface EsimProduct {
  readonly productSku: string;
  readonly name: string;
  readonly geoScopeGlobalId: string;
  readonly dataAllowance: number;
  readonly validityDays: number;
  readonly amount: number;
  readonly currency: string;
  readonly isActive: boolean;
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

/** A webhook subscription as partners read it. */
export interface WebhookSubscription {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly isActive: boolean;
  readonly lastDeliveryAt: string | null;
  readonly lastDeliveryStatus: string | null;
  readonly createdAt: string;
}

/** A subscription with its secret, as create and rotate-secret return it. */
export interface WebhookWithSecret {
  readonly subscription: WebhookSubscription;
  readonly secret: string;
}

/** One event on its way to one subscription. */
export interface WebhookDelivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly lastAttemptAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly responseStatus: number | null;
  readonly durationMs: number | null;
  readonly errorSummary: string | null;
  readonly isTest: boolean;
  readonly createdAt: string;
  readonly attempts: readonly {
    readonly attemptNumber: number;
    readonly attemptedAt: string;
    readonly responseStatus: number | null;
    readonly durationMs: number;
    readonly errorSummary: string | null;
  }[];
}
