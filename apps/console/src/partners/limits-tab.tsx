import { NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { DecisionButton } from '../parts/decision-button';
import { Failure } from '../parts/failure';
import { Facts, Part } from '../parts/part';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';

type InForce = Schemas['LimitsInForce'];

const NAMES = ['maxOrderAmount', 'dailySpend', 'dailyOrdersPerPhone'] as const;

/** What a partner may spend, who limited it, and what is spent of it today. */
export function LimitsTab({ partner: { id } }: { readonly partner: Schemas['Partner'] }) {
  const { words, formats } = useSpeech();
  const environment = useEnvironment();
  const { data, error } = useQuery(readQuery('/ops/v1/partners/{id}/limits', { environment }, { id }));
  const labels = words.limits;
  if (error) return <Failure error={error} />;
  if (!data) return null;
  const said = (name: (typeof NAMES)[number]): string => {
    const found = data[name];
    if (!found) return labels.none;
    const limit = name === 'dailyOrdersPerPhone' ? formats.number(found.limit) : formats.money(found.limit);
    return `${limit} (${labels.by[found.setBy]})`;
  };
  return (
    <Part
      title={words.partners.tabs.limits}
      actions={<SetLimits key={JSON.stringify(data.settings)} partnerId={id} inForce={data} />}
    >
      <Facts
        facts={[
          ...NAMES.map((name) => [labels[name], said(name)] as const),
          [labels.spentToday, formats.money(data.spentToday)],
          [labels.resets, formats.moment(data.resetsAt)],
        ]}
      />
    </Part>
  );
}

function SetLimits({ partnerId, inForce }: { readonly partnerId: string; readonly inForce: InForce }) {
  const { words } = useSpeech();
  const own = inForce.settings.find(({ setBy }) => setBy === 'Operator');
  const [limits, setLimits] = useState<Record<(typeof NAMES)[number], string | number>>({
    maxOrderAmount: own?.maxOrderAmount ?? '',
    dailySpend: own?.dailySpend ?? '',
    dailyOrdersPerPhone: own?.dailyOrdersPerPhone ?? '',
  });
  const given = (name: (typeof NAMES)[number]): number | null =>
    limits[name] === '' ? null : Number(limits[name]);
  return (
    <DecisionButton
      label={words.limits.set}
      effect={words.limits.setEffect}
      role="finance"
      fields={NAMES.map((name) => (
        <NumberInput
          key={name}
          label={words.limits[name]}
          min={0}
          decimalScale={name === 'dailyOrdersPerPhone' ? 0 : 2}
          value={limits[name]}
          onChange={(value) => setLimits({ ...limits, [name]: value })}
        />
      ))}
      run={() => {
        const body = {
          environment: inForce.environment,
          maxOrderAmount: given('maxOrderAmount'),
          dailySpend: given('dailySpend'),
          dailyOrdersPerPhone: given('dailyOrdersPerPhone'),
        };
        return payloadOf(
          api.PUT('/ops/v1/partners/{id}/limits', { params: { path: { id: partnerId } }, body }),
        );
      }}
      done={() => words.limits.done}
      stale={[['/ops/v1/partners/{id}/limits']]}
    />
  );
}
