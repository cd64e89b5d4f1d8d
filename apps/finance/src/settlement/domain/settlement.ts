/** Some units of a line and what they move, in SAR with two decimals. */
export interface LineAmounts {
  readonly lineId: string;
  readonly quantity: number;
  readonly goods: string;
  readonly goodsVat: string;
  readonly commission: string;
  readonly commissionVat: string;
}

/** An order's charge and commission, named by the key its funds were reserved under. */
export interface OrderSettlement {
  readonly orderKey: string;
  readonly lines: readonly LineAmounts[];
  readonly notes: string;
}

/** Units of a settled order that are given back. */
export interface UnitsRefund {
  readonly operationKey: string;
  readonly orderKey: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  readonly notes: string;
}
