import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { DecisionButton } from '../parts/decision-button';
import { PartnerSelect } from '../parts/partner-filter';
import { useSpeech } from '../words/words';

type Variant = Schemas['Variant'];
type Stock = Variant['stock'][number];
interface Of {
  readonly variant: Variant;
}

const STALE = [['/ops/v1/variants/{id}'], ['/ops/v1/variants']];
const change = ({ id }: Variant, body: Parameters<typeof patch>[1]): Promise<Variant> => patch(id, body);
const patch = (
  id: string,
  body: {
    listPrice?: number;
    cost?: number;
    rrp?: number | null;
    isActive?: boolean;
    environment?: Stock['environment'];
    stockOnHand?: number;
    expectedStockOnHand?: number;
  },
): Promise<Variant> => payloadOf(api.PATCH('/ops/v1/variants/{id}', { params: { path: { id } }, body }));

/** What is on hand in one environment, after a change. */
const onHand = ({ stock }: Variant, environment: Stock['environment']): number =>
  stock.find((one) => one.environment === environment)?.stockOnHand ?? 0;

/** Replaces what is on hand by what was counted, unless it has changed meanwhile (spec §18.8). */
export function CountStock({ variant, stock }: Of & { readonly stock: Stock }) {
  const { words, formats } = useSpeech();
  const [counted, setCounted] = useState<Counted>();
  const { environment, stockOnHand } = stock;
  return (
    <DecisionButton
      label={words.catalog.count}
      effect={words.catalog.countEffect}
      role="catalog"
      fields={<CountField stockOnHand={stockOnHand} set={setCounted} />}
      run={() => change(variant, { environment, ...counted })}
      done={(changed) => words.catalog.set(formats.number(onHand(changed, environment)))}
      stale={STALE}
    />
  );
}

interface Counted {
  readonly stockOnHand: number;
  readonly expectedStockOnHand: number;
}

/** What was counted where so much was on hand when the dialog was opened; what the page shows goes on changing behind it. */
function CountField({
  stockOnHand,
  set,
}: {
  readonly stockOnHand: number;
  readonly set: (counted: Counted) => void;
}) {
  const { words, formats } = useSpeech();
  const [expectedStockOnHand] = useState(stockOnHand);
  return (
    <NumberInput
      label={words.catalog.counted}
      description={`${words.catalog.onHand}: ${formats.number(expectedStockOnHand)}`}
      required
      min={0}
      allowDecimal={false}
      onChange={(units) => set({ stockOnHand: Number(units), expectedStockOnHand })}
    />
  );
}

/** Adds units to what is on hand, or takes them away. */
export function AddStock({ variant, stock: { environment } }: Of & { readonly stock: Stock }) {
  const { words, formats } = useSpeech();
  const [delta, setDelta] = useState<string | number>('');
  const params = { path: { id: variant.id } };
  return (
    <DecisionButton
      label={words.catalog.delta}
      effect={words.catalog.deltaEffect}
      role="catalog"
      fields={
        <NumberInput
          label={words.catalog.units}
          required
          allowDecimal={false}
          value={delta}
          onChange={setDelta}
        />
      }
      run={() =>
        payloadOf(
          api.POST('/ops/v1/variants/{id}/stock', { params, body: { delta: Number(delta), environment } }),
        )
      }
      done={(changed) => words.catalog.set(formats.number(onHand(changed, environment)))}
      stale={STALE}
    />
  );
}

/** Changes what a variant costs. */
export function SetPrices({ variant }: Of) {
  const { words } = useSpeech();
  const [prices, setPrices] = useState<Record<'listPrice' | 'cost' | 'rrp', string | number>>({
    listPrice: variant.listPrice,
    cost: variant.cost,
    rrp: variant.rrp ?? '',
  });
  const field = (name: keyof typeof prices, label: string) => (
    <NumberInput
      label={label}
      min={0}
      decimalScale={2}
      required={name !== 'rrp'}
      value={prices[name]}
      onChange={(value) => setPrices({ ...prices, [name]: value })}
    />
  );
  return (
    <DecisionButton
      label={words.catalog.setPrices}
      effect={words.catalog.pricesEffect}
      role="catalog"
      fields={
        <>
          {field('listPrice', words.catalog.price)}
          {field('cost', words.catalog.cost)}
          {field('rrp', words.catalog.rrp)}
        </>
      }
      run={() =>
        change(variant, {
          listPrice: Number(prices.listPrice),
          cost: Number(prices.cost),
          rrp: prices.rrp === '' ? null : Number(prices.rrp),
        })
      }
      done={() => words.catalog.pricesSet}
      stale={STALE}
    />
  );
}

/** Offers a variant, or takes it off sale. */
export function OfferSwitch({ variant }: Of) {
  const { words } = useSpeech();
  const { isActive } = variant;
  return (
    <DecisionButton
      // See FreezeSwitch.
      key={String(isActive)}
      label={isActive ? words.catalog.withdraw : words.catalog.offer}
      effect={isActive ? words.catalog.withdrawEffect : words.catalog.offerEffect}
      role="catalog"
      isDangerous={isActive}
      run={() => change(variant, { isActive: !isActive })}
      done={() => words.catalog.changed}
      stale={STALE}
    />
  );
}

/** Gives one partner, and those below it, a price of its own. */
export function SetPartnerPrice({ variant }: Of) {
  const { words } = useSpeech();
  const [partnerId, setPartnerId] = useState('');
  const [listPrice, setListPrice] = useState<string | number>('');
  return (
    <DecisionButton
      label={words.catalog.partnerPrice}
      effect={words.catalog.partnerPriceEffect}
      role="catalog"
      fields={
        <>
          <PartnerSelect label={words.orders.partner} value={partnerId} onChange={setPartnerId} />
          <NumberInput
            label={words.catalog.price}
            required
            min={0.01}
            decimalScale={2}
            value={listPrice}
            onChange={setListPrice}
          />
        </>
      }
      run={() => {
        const params = { path: { id: variant.id, partnerId } };
        const body = { listPrice: Number(listPrice) };
        return payloadOf(api.PUT('/ops/v1/variants/{id}/partner-prices/{partnerId}', { params, body }));
      }}
      done={() => words.catalog.pricesSet}
      stale={STALE}
    />
  );
}
