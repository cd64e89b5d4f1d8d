import { Alert } from '@mantine/core';
import { api, payloadOf, type Schemas } from '../api/client';
import { DecisionButton } from '../parts/decision-button';
import { useEnvironment } from '../parts/use-environment';
import { useSpeech } from '../words/words';

/** Opens the wallet that a partner does not have yet in the environment that is looked at. */
export function NoWallet({ partner: { id } }: { readonly partner: Schemas['Partner'] }) {
  const { words } = useSpeech();
  const environment = useEnvironment();
  const params = { path: { id } };
  return (
    <Alert title={words.wallet.none}>
      <DecisionButton
        label={words.wallet.open}
        effect={words.wallet.openEffect}
        role="finance"
        run={() => payloadOf(api.POST('/ops/v1/partners/{id}/wallet', { params, body: { environment } }))}
        done={() => words.wallet.opened}
        stale={[['/ops/v1/partners/{id}/wallet'], ['/ops/v1/partners/{id}/wallet/transactions']]}
      />
    </Alert>
  );
}
