import { OperatorClient } from '../clients/operator-client';
import type { StartedPlatform } from '../platform/start-platform';
import { fillAndPreview, findVariant } from './cart-load';
import type { LoadResult } from './http-load';
import { inTurn, say, toRow } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { startMedusa } from './yardsticks/medusa';

const LEAST = 100;

/** Adds to a cart and previews its checkout, for a customer of its own each time; against Medusa's cart when that may be installed. */
export async function benchCart(platform: StartedPlatform, options: BenchOptions): Promise<BenchRow> {
  // With a display currency and marketing: the dearest cart there is.
  const settings = { displayCurrency: 'USD', marketingEnabled: true };
  const partner = await new OperatorClient(platform.description).newPartner({ settings });
  const variantId = await findVariant(partner);
  const { gatewayUrl } = platform.description;
  say('adding to carts and previewing them …');
  const fill = (seconds: number): Promise<LoadResult> =>
    fillAndPreview({ gatewayUrl, partner, variantId, seconds });
  const medusa = options.installs ? await startMedusa(platform) : undefined;
  try {
    await fill(Math.min(5, options.seconds));
    await medusa?.addAndRead(Math.min(5, options.seconds));
    const result = await inTurn(
      options.rounds,
      () => fill(options.seconds),
      medusa && (() => medusa.addAndRead(options.seconds)),
    );
    const reach = medusa && { least: LEAST, yardstickName: 'Medusa’s add and read' };
    return toRow({ work: 'Cart add + preview, 16 connections', unit: 'pairs/s', ...reach, result });
  } finally {
    await medusa?.stop();
  }
}
