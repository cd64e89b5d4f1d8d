import { Button, Code, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../api/queries';
import { Dialog } from '../parts/dialog';
import { Failure } from '../parts/failure';
import { useSpeech } from '../words/words';

/** Shows what a delivery sends. It is read when somebody wants to see it, since each reading is audited. */
export function DeliveryBody({ id }: { readonly id: string }) {
  const { words } = useSpeech();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={open}>
        {words.deliveries.body}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={words.deliveries.bodyOf} size="lg">
        {isOpen && <Body id={id} />}
      </Dialog>
    </>
  );
}

function Body({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    ...readQuery('/ops/v1/webhook-deliveries/{id}', undefined, { id }),
    refetchInterval: false,
    staleTime: Infinity,
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  return data ? <Json value={data.body} /> : <Skeleton h={200} />;
}

/** JSON for people, from left to right in every language. */
export function Json({ value }: { readonly value: unknown }) {
  return (
    <Code block dir="ltr" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}
