import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../api/queries';
import { LinkTo } from './link-to';

/** A partner by its name, which leads to its page. */
export function PartnerLink({ id, name }: { readonly id: string; readonly name?: string | null }) {
  const known = useQuery({
    ...readQuery('/ops/v1/partners/{id}', undefined, { id }),
    enabled: !name,
    refetchInterval: false,
    staleTime: 300_000,
  });
  return (
    <Anchor
      fz="sm"
      renderRoot={(props) => <LinkTo {...props} to="/partners/$partnerId" params={{ partnerId: id }} />}
    >
      <bdi>{name ?? known.data?.name ?? id}</bdi>
    </Anchor>
  );
}

/** An order by its id, which leads to its page. */
export function OrderLink({ id }: { readonly id: string }) {
  return (
    <Anchor
      ff="monospace"
      fz="sm"
      dir="ltr"
      renderRoot={(props) => <LinkTo {...props} to="/orders/$orderGlobalId" params={{ orderGlobalId: id }} />}
    >
      {id}
    </Anchor>
  );
}
