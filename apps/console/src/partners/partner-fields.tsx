import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import type { Schemas } from '../api/client';
import { useSpeech } from '../words/words';

/** What an operator says of a partner, as its form holds it. */
interface PartnerForm {
  readonly name: string;
  readonly displayCurrency: string;
  readonly taxRegistrationNumber: string;
  readonly commissionRate: string | number;
  readonly billingEmail: string;
  readonly language: 'en' | 'ar';
  readonly isVatRegistered: boolean;
  readonly marketingEnabled: boolean;
}

/** The form of a partner that is there, or of a new one. */
export const formOf = (partner?: Schemas['Partner']): PartnerForm => ({
  name: partner?.name ?? '',
  displayCurrency: partner?.displayCurrency ?? '',
  taxRegistrationNumber: partner?.taxRegistrationNumber ?? '',
  commissionRate: partner?.commissionRate ?? '',
  billingEmail: partner?.billingEmail ?? '',
  language: partner?.language ?? 'en',
  isVatRegistered: partner?.isVatRegistered ?? false,
  marketingEnabled: partner?.marketingEnabled ?? false,
});

/** What is sent of a form; an empty field is no value. */
export const bodyOf = (form: PartnerForm) => ({
  ...form,
  displayCurrency: form.displayCurrency || null,
  taxRegistrationNumber: form.taxRegistrationNumber || null,
  commissionRate: form.commissionRate === '' ? null : Number(form.commissionRate),
  billingEmail: form.billingEmail || null,
});

/** The fields of a partner. */
export function PartnerFields({
  form,
  set,
}: {
  readonly form: PartnerForm;
  readonly set: (form: PartnerForm) => void;
}) {
  const { words } = useSpeech();
  const labels = words.partners;
  const text = (
    name: 'name' | 'displayCurrency' | 'taxRegistrationNumber' | 'billingEmail',
    label: string,
  ) => (
    <TextInput
      label={label}
      required={name === 'name'}
      maxLength={name === 'displayCurrency' ? 3 : 254}
      dir="auto"
      value={form[name]}
      onChange={({ currentTarget }) => set({ ...form, [name]: currentTarget.value })}
    />
  );
  return (
    <>
      {text('name', labels.name)}
      {text('displayCurrency', labels.currency)}
      {text('taxRegistrationNumber', labels.tax)}
      {text('billingEmail', labels.billing)}
      <NumberInput
        label={labels.rate}
        min={0}
        max={1}
        step={0.01}
        decimalScale={6}
        value={form.commissionRate}
        onChange={(commissionRate) => set({ ...form, commissionRate })}
      />
      <NativeSelect
        label={labels.language}
        value={form.language}
        onChange={({ currentTarget }) =>
          set({ ...form, language: currentTarget.value === 'ar' ? 'ar' : 'en' })
        }
        data={Object.entries(labels.languages).map(([value, label]) => ({ value, label }))}
      />
      <Switch
        label={labels.vat}
        checked={form.isVatRegistered}
        onChange={({ currentTarget }) => set({ ...form, isVatRegistered: currentTarget.checked })}
      />
      <Switch
        label={labels.marketing}
        checked={form.marketingEnabled}
        onChange={({ currentTarget }) => set({ ...form, marketingEnabled: currentTarget.checked })}
      />
    </>
  );
}
