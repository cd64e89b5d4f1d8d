import { Anchor, Group, Skeleton, Stack, Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import type { Schemas } from '../api/client';
import { readQuery } from '../api/queries';
import { Failure } from '../parts/failure';
import { IdText } from '../parts/id-text';
import { LinkTo } from '../parts/link-to';
import { Facts, Part } from '../parts/part';
import { PartnerLink } from '../parts/partner-link';
import { useEnvironment } from '../parts/use-environment';
import { rememberRecent } from '../shell/recent';
import { NONE } from '../words/formats';
import { useSpeech } from '../words/words';
import { BelowTab } from './below-tab';
import { CertificationTab } from './certification-tab';
import { CredentialsTab } from './credentials-tab';
import { LimitsTab } from './limits-tab';
import { ActiveSwitch, EditPartner, FreezeSwitch } from './partner-actions';
import { PartnerState } from './partner-state';
import { SignInsTab } from './sign-ins-tab';
import { WalletTab } from './wallet-tab';
import { WebhooksTab } from './webhooks-tab';

type Partner = Schemas['Partner'];

const TABS = {
  wallet: WalletTab,
  credentials: CredentialsTab,
  limits: LimitsTab,
  certification: CertificationTab,
  signIns: SignInsTab,
  webhooks: WebhooksTab,
  below: BelowTab,
} satisfies Record<string, (props: { readonly partner: Partner }) => ReactNode>;

type TabName = keyof typeof TABS;

/** One partner: who it is, its money, what it may do, and how it has come in. */
export function PartnerPage() {
  const { partnerId } = useParams({ from: '/partners/$partnerId' });
  const { data, error, refetch } = useQuery(readQuery('/ops/v1/partners/{id}', undefined, { id: partnerId }));
  const name = data?.name;
  useEffect(() => {
    if (name) rememberRecent({ kind: 'partner', id: partnerId, label: name });
  }, [name, partnerId]);
  if (data) return <Shown partner={data} />;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={400} />;
}

function Shown({ partner }: { readonly partner: Partner }) {
  const { words } = useSpeech();
  const { id, globalId, name } = partner;
  return (
    <Stack>
      <Group gap="sm">
        <Title order={1}>
          <bdi>{name}</bdi>
        </Title>
        <IdText id={globalId} />
        <IdText id={id} />
        <PartnerState of={partner} />
      </Group>
      <Part
        title={words.partners.facts}
        actions={
          <>
            <EditPartner key={partner.version} partner={partner} />
            <ActiveSwitch partner={partner} />
            <FreezeSwitch partner={partner} />
          </>
        }
      >
        <PartnerFacts partner={partner} />
      </Part>
      <PartnerTabs partner={partner} />
    </Stack>
  );
}

function PartnerFacts({ partner }: { readonly partner: Partner }) {
  const { words, formats } = useSpeech();
  const labels = words.partners;
  const { id, path } = partner;
  const above = path.filter((one) => one !== id);
  return (
    <>
      <Facts
        facts={[
          [
            labels.parent,
            above.length === 0
              ? labels.root
              : above.map((one, index) => (
                  <span key={one}>
                    {index > 0 && ' › '}
                    <PartnerLink id={one} />
                  </span>
                )),
          ],
          [labels.currency, partner.displayCurrency ?? NONE],
          [labels.rate, partner.commissionRate === null ? NONE : formats.share(partner.commissionRate)],
          [labels.vat, partner.isVatRegistered ? labels.yes : labels.no],
          [labels.tax, <bdi key="tax">{partner.taxRegistrationNumber ?? NONE}</bdi>],
          [labels.billing, <bdi key="billing">{partner.billingEmail ?? NONE}</bdi>],
          [labels.language, labels.languages[partner.language]],
          [labels.marketing, partner.marketingEnabled ? labels.yes : labels.no],
          [labels.since, formats.moment(partner.createdAt)],
        ]}
      />
      <Group>
        <Anchor
          size="sm"
          renderRoot={(props) => <LinkTo {...props} to="/orders" filters={{ partnerId: id }} />}
        >
          {labels.orders}
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <LinkTo {...props} to="/statements" filters={{ partnerId: id }} />}
        >
          {labels.statements}
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <LinkTo {...props} to="/audit" filters={{ partnerId: id }} />}
        >
          {words.pages.audit}
        </Anchor>
      </Group>
    </>
  );
}

function PartnerTabs({ partner }: { readonly partner: Partner }) {
  const { words } = useSpeech();
  const navigate = useNavigate();
  const environment = useEnvironment();
  const { tab } = useSearch({ from: '/partners/$partnerId' });
  const names = Object.keys(TABS) as TabName[];
  const shown = names.find((name) => name === tab) ?? 'wallet';
  const open = (name: string | null): void =>
    void navigate({ to: '.', search: { environment, tab: name ?? undefined } as never, resetScroll: false });
  const Shown = TABS[shown];
  return (
    <Tabs value={shown} onChange={open} keepMounted={false}>
      <Tabs.List>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {words.partners.tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {name === shown && <Shown partner={partner} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
