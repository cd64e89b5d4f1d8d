import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { refusalOf } from '../api/refusal';
import { DecisionButton } from '../parts/decision-button';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';

/** Credits a wallet, or puts it right by an amount of either sign. */
export function MoveMoney({
  partner: { id },
  kind,
}: {
  readonly partner: Schemas['Partner'];
  readonly kind: 'credit' | 'adjust';
}) {
  const { words, formats } = useSpeech();
  const environment = useEnvironment();
  const [amount, setAmount] = useState<string | number>('');
  // One key for one movement, however often it is sent; the next movement has another.
  const [idempotencyKey, setKey] = useState(newKey);
  const params = { path: { id } };
  const beginAnew = (): void => {
    setKey(newKey());
    setAmount('');
  };
  return (
    <DecisionButton
      label={words.wallet[kind]}
      effect={kind === 'credit' ? words.wallet.creditEffect : words.wallet.adjustEffect}
      role="finance"
      isDangerous={kind === 'adjust'}
      notes={words.decide.notes}
      fields={
        <NumberInput
          label={words.wallet.amount}
          required
          decimalScale={2}
          {...(kind === 'credit' && { min: 0.01 })}
          value={amount}
          onChange={setAmount}
        />
      }
      run={async (notes) => {
        const body = { environment, amount: Number(amount), notes, idempotencyKey };
        const path =
          kind === 'credit' ? '/ops/v1/partners/{id}/wallet/credit' : '/ops/v1/partners/{id}/wallet/adjust';
        try {
          const moved = await payloadOf(api.POST(path, { params, body }));
          beginAnew();
          return moved;
        } catch (error) {
          if (HAVE_THE_KEY.includes(refusalOf(error).code)) beginAnew();
          throw error;
        }
      }}
      done={({ balanceAfter }) => words.wallet.done(formats.money(balanceAfter))}
      stale={[
        ['/ops/v1/partners/{id}/wallet'],
        ['/ops/v1/partners/{id}/wallet/transactions'],
        ['/ops/v1/approvals'],
      ]}
    />
  );
}

/** An approval has the key, or a movement whose response was lost. */
const HAVE_THE_KEY = ['CONFLICT_APPROVAL_REQUIRED', 'CONFLICT_IDEMPOTENCY_KEY_REUSED'];

const newKey = (): string => `console-${crypto.randomUUID()}`;
