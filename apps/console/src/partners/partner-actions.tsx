import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { DecisionButton } from '../parts/decision-button';
import { useSpeech } from '../words/words';
import { bodyOf, formOf, PartnerFields } from './partner-fields';

interface Of {
  readonly partner: Schemas['Partner'];
}

/** What a change of a partner makes stale. */
export const STALE = [['/ops/v1/partners'], ['/ops/v1/partners/{id}']];

/** Changes what is known of it. */
export function EditPartner({ partner }: Of) {
  const { words } = useSpeech();
  const [form, setForm] = useState(() => formOf(partner));
  const params = { path: { id: partner.id } };
  return (
    <DecisionButton
      label={words.partners.edit}
      effect={words.partners.editEffect}
      role="partners"
      fields={<PartnerFields form={form} set={setForm} />}
      run={() => payloadOf(api.PATCH('/ops/v1/partners/{id}', { params, body: bodyOf(form) }))}
      done={({ name }) => words.partners.edited(name)}
      stale={STALE}
    />
  );
}

/** Lets it have tokens, or no new ones. */
export function ActiveSwitch({ partner: { id, isActive } }: Of) {
  const { words } = useSpeech();
  const labels = words.partners;
  const params = { path: { id } };
  return (
    <DecisionButton
      // See FreezeSwitch.
      key={String(isActive)}
      label={isActive ? labels.deactivate : labels.activate}
      effect={isActive ? labels.deactivateEffect : labels.activateEffect}
      role="partners"
      isDangerous={isActive}
      run={() => payloadOf(api.PATCH('/ops/v1/partners/{id}', { params, body: { isActive: !isActive } }))}
      done={({ name }) => labels.edited(name)}
      stale={STALE}
    />
  );
}

/** Refuses every token of it and of those below it within seconds, or ends that (spec §18.5). */
export function FreezeSwitch({ partner: { id, isFrozen } }: Of) {
  const { words } = useSpeech();
  const labels = words.partners;
  const params = { path: { id } };
  return (
    <DecisionButton
      // Once somebody has made the change, a dialog that is open does not turn into one for the opposite.
      key={String(isFrozen)}
      label={isFrozen ? labels.unfreeze : labels.freeze}
      effect={isFrozen ? labels.unfreezeEffect : labels.freezeEffect}
      role="partners"
      isDangerous={!isFrozen}
      run={() =>
        payloadOf(
          isFrozen
            ? api.POST('/ops/v1/partners/{id}/unfreeze', { params })
            : api.POST('/ops/v1/partners/{id}/freeze', { params }),
        )
      }
      done={({ name }) => (isFrozen ? labels.unfrozenNow(name) : labels.frozenNow(name))}
      stale={STALE}
    />
  );
}
