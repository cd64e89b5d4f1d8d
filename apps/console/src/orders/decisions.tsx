import { Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, payloadOf, type Schemas } from '../api/client';
import { DecisionButton } from '../parts/decision-button';
import { useOwn, useSpeech } from '../words/words';

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

/** What the decisions are called, and what each does. */
const WORDS = {
  en: {
    ResolveCompleted: 'Resolve as completed',
    ResolveFailed: 'Resolve as failed',
    Cancel: 'Cancel',
    Reverse: 'Reverse',
    CancelGroups: 'Cancel open groups',
    effect: {
      ResolveCompleted: (amount: string, partner: string) =>
        `The ${amount} that are held for this order are charged to ${partner}, and its commission is paid where it has one. The order becomes Completed.`,
      ResolveFailed: (amount: string, partner: string) =>
        `The ${amount} that are held for this order are given back to ${partner}; nothing is charged. The order becomes Failed.`,
      Cancel: (amount: string, partner: string) =>
        `What is held of ${amount} is given back to ${partner}; nothing is charged. The order becomes Cancelled.`,
      Reverse: (amount: string, partner: string) =>
        `${amount} are refunded to ${partner}’s wallet at once. The order becomes Reversed. Above the limit for one operator, in live, a second one has to approve it first.`,
      ResolveCompletedScent: (amount: string, partner: string) =>
        `The order is carried on: the ${amount} of ${partner} are charged as planned.`,
      ResolveFailedScent: (amount: string, partner: string) =>
        `The order is undone: what was taken of the ${amount} is given back to ${partner}, and its units go back to stock.`,
      CancelGroups: (_amount: string, partner: string) =>
        `Each group that is not delivered is refunded to ${partner} and restocked; its commission is taken back. Delivered groups stay as they are.`,
    },
    activationHint: 'Used only where the vendor has none; may be left empty.',
    iccid: 'ICCID',
    qr: 'QR code text',
    activationCode: 'Activation code',
    plan: 'Plan details',
    none: 'Nothing can be decided about this order now.',
    done: (id: string, status: string) => `${id} is now ${status}.`,
  },
  ar: {
    ResolveCompleted: 'حسم كمكتمل',
    ResolveFailed: 'حسم كفاشل',
    Cancel: 'إلغاء',
    Reverse: 'عكس',
    CancelGroups: 'إلغاء المجموعات المفتوحة',
    effect: {
      ResolveCompleted: (amount: string, partner: string) =>
        `يُخصم من ${partner} المبلغ المحجوز لهذا الطلب وهو ${amount}، وتُدفع عمولته إن كانت له عمولة. يصبح الطلب مكتملًا.`,
      ResolveFailed: (amount: string, partner: string) =>
        `يُعاد إلى ${partner} المبلغ المحجوز لهذا الطلب وهو ${amount}، ولا يُخصم شيء. يصبح الطلب فاشلًا.`,
      Cancel: (amount: string, partner: string) =>
        `يُعاد إلى ${partner} ما حُجز من ${amount}، ولا يُخصم شيء. يصبح الطلب ملغى.`,
      Reverse: (amount: string, partner: string) =>
        `يُردّ ${amount} إلى محفظة ${partner} فورًا. يصبح الطلب معكوسًا. وما فوق حدّ المشغّل الواحد في البيئة الحقيقية يحتاج إلى موافقة مشغّل ثانٍ أولًا.`,
      ResolveCompletedScent: (amount: string, partner: string) =>
        `يستمر الطلب: يُخصم ${amount} من ${partner} كما هو مخطط.`,
      ResolveFailedScent: (amount: string, partner: string) =>
        `يُتراجع عن الطلب: يُعاد إلى ${partner} ما أُخذ من ${amount}، وتعود الوحدات إلى المخزون.`,
      CancelGroups: (_amount: string, partner: string) =>
        `يُردّ إلى ${partner} ثمن كل مجموعة لم تُسلّم وتعود إلى المخزون، وتُسترد عمولتها. وتبقى المجموعات المسلَّمة كما هي.`,
    },
    activationHint: 'تُستخدم فقط إن لم تكن لدى المورّد، ويمكن تركها فارغة.',
    iccid: 'ICCID',
    qr: 'نص رمز QR',
    activationCode: 'رمز التفعيل',
    plan: 'تفاصيل الباقة',
    none: 'لا قرار ممكن في هذا الطلب الآن.',
    done: (id: string, status: string) => `حالة ${id} الآن ${status}.`,
  },
};

/** Each decision that the order allows now, with what it does to the money. */
export function Decisions({ timeline }: { readonly timeline: Timeline }) {
  const { words, formats } = useSpeech();
  const own = useOwn(WORDS);
  const [activation, setActivation] = useState<Activation>({});
  const { order } = timeline;
  const { orderGlobalId } = order;
  const allowed = decisionsOf(timeline);
  if (allowed.length === 0) return <Text c="dimmed">{own.none}</Text>;
  const asks = order.productType === 'Esim';
  return (
    <Group gap="xs">
      {allowed.map((decision) => (
        <DecisionButton
          key={decision}
          label={own[decision]}
          effect={own.effect[effectOf(decision, order.productType)](
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
          done={({ status }) => own.done(orderGlobalId, words.status[status])}
          stale={[['order', orderGlobalId], ['orders'], ['overview']]}
        />
      ))}
    </Group>
  );
}

type Effect = keyof typeof WORDS.en.effect;

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
  const own = useOwn(WORDS);
  const fields = [
    ['esimIccid', own.iccid, 64],
    ['esimQrCode', own.qr, 500],
    ['esimActivationCode', own.activationCode, 255],
    ['esimPlanDetails', own.plan, 500],
  ] as const;
  return (
    <>
      <Text size="sm" c="dimmed">
        {own.activationHint}
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
