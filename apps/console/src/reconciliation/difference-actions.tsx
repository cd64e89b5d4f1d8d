import { Text } from '@mantine/core';
import { api, payloadOf, type Schemas } from '../api/client';
import { DecisionButton } from '../parts/decision-button';
import { useSpeech } from '../words/words';

type Difference = Schemas['Difference'];

/** What a decision about differences changes. */
export const STALE = [['/ops/v1/reconciliation']];

/** Accepts an open difference with the figures that are shown, and says what was accepted before. */
export function AcceptButton({ of: row }: { readonly of: Difference }) {
  const { words } = useSpeech();
  const labels = words.reconciliation;
  const { service, id, expected, found, acceptance } = row;
  return (
    <DecisionButton
      label={labels.accept}
      effect={labels.acceptEffect}
      role="support"
      isDangerous
      notes={words.decide.notes}
      fields={
        <>
          <Text size="sm">
            {labels.expected}: <bdi>{expected}</bdi>
          </Text>
          <Text size="sm">
            {labels.found}: <bdi>{found}</bdi>
          </Text>
          {acceptance && (
            <Text size="sm">
              {labels.before(acceptance.acceptedBy, acceptance.expected, acceptance.found)}
            </Text>
          )}
        </>
      }
      run={(notes) =>
        payloadOf(
          api.POST('/ops/v1/reconciliation/{service}/{id}/accept', {
            params: { path: { service, id } },
            body: { expected, found, notes },
          }),
        )
      }
      done={() => labels.accepted}
      stale={STALE}
    />
  );
}

/** Takes an acceptance back. */
export function ReopenButton({ of: { service, id } }: { readonly of: Difference }) {
  const { words } = useSpeech();
  const labels = words.reconciliation;
  return (
    <DecisionButton
      label={labels.reopen}
      effect={labels.reopenEffect}
      role="support"
      notes={words.decide.notes}
      run={(notes) =>
        payloadOf(
          api.POST('/ops/v1/reconciliation/{service}/{id}/reopen', {
            params: { path: { service, id } },
            body: { notes },
          }),
        )
      }
      done={() => labels.reopened}
      stale={STALE}
    />
  );
}

/** Frees the cart, the stock and the discount that are held for an order that does not exist; of any other difference nothing. */
export function FreeCheckoutButton({ of: { check, subject, found } }: { readonly of: Difference }) {
  const { words } = useSpeech();
  const labels = words.reconciliation;
  if (check !== 'checkouts-orders' || !found.endsWith('begun')) return null;
  return (
    <DecisionButton
      label={labels.free}
      effect={labels.freeEffect(subject)}
      role="support"
      notes={words.decide.notes}
      run={(notes) =>
        payloadOf(
          api.POST('/ops/v1/orders/{orderGlobalId}/free-checkout', {
            params: { path: { orderGlobalId: subject } },
            body: { notes },
          }),
        )
      }
      done={() => labels.freed}
      stale={STALE}
    />
  );
}
