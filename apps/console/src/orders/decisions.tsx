import { Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { DecisionButton } from '../parts/decision-button';
import { useSpeech } from '../words/words';

type Timeline = Schemas['OrderTimeline'];
type Decision = Timeline['decisions'][number] | 'CancelGroups';

/** What may be decided: what the service says, and of a paid scent order cancelling what is not delivered. */
export function decisionsOf({ decisions, order: { productType, status } }: Timeline): readonly Decision[] {
  const isPaidScent = productType === 'Scent' && ['Processing', 'PartiallyDelivered'].includes(status);
  return isPaidScent && !decisions.includes('Cancel') ? [...decisions, 'CancelGroups'] : decisions;
}

/** The eSIM's activation data, where the vendor has none. */
interface Activation {
  readonly esimIccid?: string;
  readonly esimQrCode?: string;
  readonly esimActivationCode?: string;
  readonly esimPlanDetails?: string;
}

/** Each decision that the order allows now, with what it does to the money. */
export function Decisions({ timeline }: { readonly timeline: Timeline }) {
  const { words, formats } = useSpeech();
  const [activation, setActivation] = useState<Activation>({});
  const { order } = timeline;
  const { orderGlobalId } = order;
  const allowed = decisionsOf(timeline);
  if (allowed.length === 0) return <Text c="dimmed">{words.decide.none}</Text>;
  const asks = order.productType === 'Esim';
  return (
    <Group gap="xs">
      {allowed.map((decision) => (
        <DecisionButton
          key={decision}
          label={words.decide[decision]}
          effect={words.decide.effect[effectOf(decision, order.productType)](
            formats.money(order.amount, order.currency),
            order.partnerName ?? order.partnerId,
          )}
          role="support"
          isDangerous={decision !== 'ResolveCompleted'}
          notes={words.decide.notes}
          {...(asks &&
            decision === 'ResolveCompleted' && {
              fields: <ActivationFields value={activation} set={setActivation} />,
            })}
          run={(notes) => send(orderGlobalId, decision, notes, asks ? activation : {})}
          done={({ status }) => words.decide.done(orderGlobalId, words.status[status])}
          stale={[['order', orderGlobalId], ['orders'], ['overview']]}
        />
      ))}
    </Group>
  );
}

type Effect = keyof ReturnType<typeof useSpeech>['words']['decide']['effect'];

/** A scent order is carried on or undone as a whole. */
function effectOf(decision: Decision, product: Timeline['order']['productType']): Effect {
  if (product !== 'Scent') return decision;
  if (decision === 'ResolveCompleted') return 'ResolveCompletedScent';
  return decision === 'ResolveFailed' ? 'ResolveFailedScent' : decision;
}

function send(
  orderGlobalId: string,
  decision: Decision,
  notes: string,
  activation: Activation,
): Promise<Schemas['DecidedOrder']> {
  const params = { path: { orderGlobalId } };
  const reverse = '/ops/v1/orders/{orderGlobalId}/reverse';
  if (decision === 'Reverse') return payloadOf(api.POST(reverse, { params, body: { notes } }));
  const cancel = '/ops/v1/orders/{orderGlobalId}/cancel';
  if (decision === 'Cancel' || decision === 'CancelGroups')
    return payloadOf(api.POST(cancel, { params, body: { notes } }));
  const given = Object.fromEntries(Object.entries(activation).filter(([, value]) => value !== ''));
  const body =
    decision === 'ResolveCompleted'
      ? { outcome: 'Completed' as const, notes, ...given }
      : { outcome: 'Failed' as const, notes };
  return payloadOf(api.POST('/ops/v1/orders/{orderGlobalId}/resolve', { params, body }));
}

function ActivationFields({
  value,
  set,
}: {
  readonly value: Activation;
  readonly set: (value: Activation) => void;
}) {
  const { words } = useSpeech();
  const fields = [
    ['esimIccid', words.decide.iccid, 64],
    ['esimQrCode', words.decide.qr, 500],
    ['esimActivationCode', words.decide.activationCode, 255],
    ['esimPlanDetails', words.decide.plan, 500],
  ] as const;
  return (
    <>
      <Text size="sm" c="dimmed">
        {words.decide.activationHint}
      </Text>
      {fields.map(([name, label, maxLength]) => (
        <TextInput
          key={name}
          label={label}
          maxLength={maxLength}
          dir="ltr"
          value={value[name] ?? ''}
          onChange={({ currentTarget }) => set({ ...value, [name]: currentTarget.value.trim() })}
        />
      ))}
    </>
  );
}
