import { Alert } from '@mantine/core';
import { useSpeech } from '../words/words';

/** Says that nothing of these services is shown, since they do not respond. */
export function Away({ services = [] }: { readonly services: readonly string[] | undefined }) {
  const { words } = useSpeech();
  if (services.length === 0) return null;
  return (
    <Alert color="orange" role="status" title={words.failure.away}>
      <bdi>{services.join(', ')}</bdi>
    </Alert>
  );
}
