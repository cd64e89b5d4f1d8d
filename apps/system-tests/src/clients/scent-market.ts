import { randomUUID } from 'node:crypto';
import type { OperatorClient, TestPartner } from './operator-client';
import type { PartnerClient } from './partner-client';
import { addToCart, Shelf, type ShelfVariant } from './scents';

/** Units of each variant of a market. */
export const ENOUGH = 500;

/** The owner's terms. */
export const TERMS = { commissionBasisPoints: 1_234, isVatRegistered: true };

/** Two partners, and variants that nobody else buys meanwhile, for tests that compute every halala. */
export class ScentMarket {
  private constructor(
    readonly shelf: Shelf,
    readonly owner: TestPartner,
    readonly stranger: TestPartner,
    /** Two of one warehouse, one of another, one without VAT. */
    readonly goods: readonly ShelfVariant[],
    private readonly before: readonly ShelfVariant[],
  ) {}

  static async open(operator: OperatorClient): Promise<ScentMarket> {
    const shelf = new Shelf(operator);
    const owner = await operator.newPartner({
      deposit: 100_000,
      settings: {
        displayCurrency: 'USD',
        commissionRate: TERMS.commissionBasisPoints / 10_000,
        isVatRegistered: true,
        taxRegistrationNumber: '300000000000003',
      },
    });
    const stranger = await operator.newPartner({ deposit: 100, settings: { commissionRate: 0.1 } });
    const before = await shelf.onOffer();
    const standard = before.filter(({ taxClassification }) => taxClassification === 'STANDARD');
    const first = standard[0]!;
    const near = standard.find(({ id, warehouse }) => id !== first.id && warehouse === first.warehouse)!;
    const far = standard.find(({ warehouse }) => warehouse !== first.warehouse)!;
    const zeroRated = before.find(({ taxClassification }) => taxClassification === 'ZERO')!;
    const goods = await Promise.all(
      [first, near, far, zeroRated].map(({ id, listPrice }) =>
        shelf.set(id, { stockOnHand: ENOUGH, cost: Math.floor(listPrice / 3) }),
      ),
    );
    return new ScentMarket(shelf, owner, stranger, goods, before);
  }

  /** Puts the goods back as they were. */
  async close(): Promise<void> {
    for (const { id } of this.goods) {
      const { stockOnHand, cost, listPrice } = this.before.find((variant) => variant.id === id)!;
      await this.shelf.set(id, { stockOnHand, cost, listPrice });
    }
  }

  /** A customer's cart with a unit of the first variant, or with these lines. */
  async cartOf(
    client: PartnerClient,
    lines: readonly (readonly [ShelfVariant, number])[] = [[this.goods[0]!, 1]],
  ): Promise<string> {
    const customerRef = `customer-${randomUUID()}`;
    for (const [{ id }, quantity] of lines) await addToCart(client, id, quantity, customerRef);
    return customerRef;
  }
}
