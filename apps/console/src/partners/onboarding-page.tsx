import { Anchor, Button, Code, Stack, Stepper, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { ordersQuery, readQuery } from '../api/queries';
import { Failure } from '../parts/failure';
import { LinkTo } from '../parts/link-to';
import { OrderLink } from '../parts/partner-link';
import { useMayDo } from '../parts/use-session';
import { useSpeech } from '../words/words';
import { CredentialShown, MakeCredential } from './credentials-tab';
import { MoveMoney } from './move-money';
import { NoWallet } from './no-wallet';
import { bodyOf, formOf, PartnerFields } from './partner-fields';

type Partner = Schemas['Partner'];

/** From a name to the first sandbox order; how far a partner is follows from what the platform knows of it. */
export function OnboardingPage() {
  const { words } = useSpeech();
  const { partnerId } = useSearch({ from: '/onboarding' });
  return (
    <Stack maw={720}>
      <Title order={1}>{words.onboarding.title}</Title>
      {partnerId ? <Known partnerId={partnerId} /> : <Steps at={0} />}
    </Stack>
  );
}

function Known({ partnerId }: { readonly partnerId: string }) {
  const page = { page: 1, pageSize: 1 };
  const inPath = { id: partnerId };
  const sandbox = { environment: 'sandbox' } as const;
  const partner = useQuery(readQuery('/ops/v1/partners/{id}', undefined, inPath));
  const credentials = useQuery(readQuery('/ops/v1/partners/{id}/credentials', page, inPath));
  const money = useQuery({
    ...readQuery('/ops/v1/partners/{id}/wallet/transactions', { ...sandbox, ...page }, inPath),
    retry: false,
  });
  const orders = useQuery(ordersQuery({ ...sandbox, partnerId, ...page }));
  if (partner.error) return <Failure error={partner.error} />;
  if (!partner.data) return null;
  const order = orders.data?.items[0];
  const hasMoney = (money.data?.items.length ?? 0) > 0;
  const hasCredential = (credentials.data?.items.length ?? 0) > 0;
  const at = order ? 4 : hasCredential && hasMoney ? 3 : hasCredential ? 2 : 1;
  return <Steps at={at} partner={partner.data} order={order} hasWallet={money.data !== undefined} />;
}

interface StepsProps {
  readonly at: number;
  readonly partner?: Partner;
  readonly order?: Schemas['OrderRow'] | undefined;
  readonly hasWallet?: boolean;
}

function Steps({ at, partner, order, hasWallet = false }: StepsProps) {
  const { words } = useSpeech();
  const [made, setMade] = useState<Schemas['NewCredential']>();
  const { steps, explain } = words.onboarding;
  return (
    <>
      <Stepper active={at} orientation="vertical" size="sm">
        <Stepper.Step label={steps.partner} description={explain.partner}>
          {!partner && <Register />}
        </Stepper.Step>
        <Stepper.Step label={steps.credential} description={explain.credential}>
          {partner && <MakeCredential partnerId={partner.id} made={setMade} />}
        </Stepper.Step>
        <Stepper.Step label={steps.money} description={explain.money}>
          {partner && !hasWallet && <NoWallet partner={partner} />}
          {partner && hasWallet && <MoveMoney partner={partner} kind="credit" />}
        </Stepper.Step>
        <Stepper.Step label={steps.order} description={explain.order}>
          <FirstOrder />
        </Stepper.Step>
        <Stepper.Completed>
          {order && <Text role="status">{words.onboarding.arrived(order.orderGlobalId)}</Text>}
          {order && <OrderLink id={order.orderGlobalId} />}
          <Text>{words.onboarding.next}</Text>
        </Stepper.Completed>
      </Stepper>
      {partner && (
        <Anchor
          renderRoot={(props) => (
            <LinkTo {...props} to="/partners/$partnerId" params={{ partnerId: partner.id }} />
          )}
        >
          {words.onboarding.toPartner}: <bdi>{partner.name}</bdi>
        </Anchor>
      )}
      {made && <CredentialShown made={made} close={() => setMade(undefined)} />}
    </>
  );
}

function Register() {
  const { words } = useSpeech();
  const navigate = useNavigate();
  const mayRegister = useMayDo('partners');
  const [form, setForm] = useState(() => formOf());
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => payloadOf(api.POST('/ops/v1/partners', { body: bodyOf(form) })),
    onSuccess: ({ id: partnerId }) =>
      void navigate({ to: '/onboarding', search: { environment: 'sandbox', partnerId } as never }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <PartnerFields form={form} set={setForm} />
        {error && <Failure error={error} />}
        {!mayRegister && <Text c="orange">{words.decide.needsRole('partners')}</Text>}
        <Button type="submit" loading={isPending} disabled={!mayRegister}>
          {words.onboarding.create}
        </Button>
      </Stack>
    </form>
  );
}

const COMMANDS = `BASE=https://<the API's address>
TOKEN=$(curl -s $BASE/api/v1/auth/token -H 'Content-Type: application/json' \\
  -d '{"clientId":"<client id>","clientSecret":"<client secret>"}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl -s $BASE/api/v1/orders/topup -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"externalReference":"first","geoScopeGlobalId":"GEO-SA","amount":10,"phoneNumber":"+966501234567"}'`;

function FirstOrder() {
  const { words } = useSpeech();
  return (
    <Stack gap="xs">
      <Code block dir="ltr" tabIndex={0}>
        {COMMANDS}
      </Code>
      <Text role="status">{words.onboarding.waiting}</Text>
    </Stack>
  );
}
