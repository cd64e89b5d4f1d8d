// What an operator can do with a thing, one row each: a new action of the API is one row more.
import { call } from './api.js';
import { openForm, field, h, toast } from './dom.js';

const notes = () => field('Why', 'notes', { required: true, maxlength: 500 });

const activation = () => [
  h('p', { class: 'soft' }, 'Used only where the vendor has no activation data; may be left empty.'),
  field('ICCID', 'esimIccid', { maxlength: 64 }),
  field('QR code text', 'esimQrCode', { maxlength: 500, placeholder: 'LPA:1$…' }),
  field('Activation code', 'esimActivationCode', { maxlength: 255 }),
  field('Plan details', 'esimPlanDetails', { maxlength: 500 }),
];

const order = (label, path, decision, more = {}) => ({
  label,
  path: ({ orderGlobalId }) => `/orders/${encodeURIComponent(orderGlobalId)}/${path}`,
  // The service says what can be decided now.
  when: ({ decisions }) => decisions.includes(decision),
  fields: () => [notes()],
  done: ({ status }) => `The order is now ${status}.`,
  ...more,
});

const resolveAsCompleted = (fields, label = 'Resolve as completed') =>
  order(label, 'resolve', 'ResolveCompleted', {
    body: { outcome: 'Completed' },
    fields: () => [notes(), ...fields()],
  });

const resolveAsFailed = (label = 'Resolve as failed') =>
  order(label, 'resolve', 'ResolveFailed', { body: { outcome: 'Failed' }, danger: true });

/** An order that a vendor delivers. */
const vendorOrder = (activationFields = () => []) => [
  resolveAsCompleted(activationFields),
  resolveAsFailed(),
  order('Cancel', 'cancel', 'Cancel', { danger: true }),
  order('Reverse', 'reverse', 'Reverse', { danger: true }),
];

/** By product; one without a row has what every order has that a vendor delivers. */
const products = {
  Esim: vendorOrder(activation),
  Scent: [
    resolveAsCompleted(() => [], 'Resolve as completed: carry on'),
    resolveAsFailed('Resolve as failed: undo'),
    order('Cancel', 'cancel', 'Cancel', { danger: true }),
    // A paid one is undone group by group.
    order('Cancel open groups', 'cancel', '', {
      danger: true,
      when: ({ status }) => ['Processing', 'PartiallyDelivered'].includes(status),
    }),
  ],
};

/** The actions on an order of a product. */
export const orderActions = ({ productType }) => products[productType] ?? vendorOrder();

const group = (verb, when, heading, action, more = {}) => ({
  label: verb,
  heading,
  action,
  path: ({ id }) => `/fulfillment-groups/${id}/${verb}`,
  when: ({ status }) => when.includes(status),
  done: () => `Done: ${verb}.`,
  ...more,
});

/** The actions on a fulfillment group. */
export const groupActions = [
  group('ship', ['Pending'], 'Ship the group', 'Yes, ship'),
  group('deliver', ['Shipped'], 'Deliver the group', 'Yes, deliver'),
  group('cancel', ['Pending', 'Shipped'], 'Cancel the group', 'Cancel and refund', { danger: true }),
];

const decideReturn = (label, path, more) => ({
  label,
  heading: `${label} the return`,
  path: ({ id }) => `/return-requests/${id}/${path}`,
  when: ({ status }) => status === 'Pending',
  done: ({ status }) => `The request is now ${status}.`,
  ...more,
});

/** The actions on a return request. */
export const returnActions = [
  decideReturn('Approve', 'approve', {
    action: 'Approve and refund',
    fields: () => [
      h('p', { class: 'soft' }, 'The units are refunded and their commission clawed back, at once.'),
    ],
  }),
  decideReturn('Decline', 'decline', {
    action: 'Decline',
    danger: true,
    fields: () => [field('Why', 'reason', { required: true, maxlength: 500 })],
  }),
];

const decideApproval = (label, path, more) => ({
  label,
  heading: `${label} the movement`,
  path: ({ id }) => `/approvals/${id}/${path}`,
  when: ({ status }) => status === 'Pending',
  done: ({ status }) => `The approval is now ${status}.`,
  ...more,
});

/** What another operator decides about a movement that needs two. */
export const approvalActions = [
  decideApproval('Approve', 'approve', {
    action: 'Approve and move the money',
    fields: () => [h('p', { class: 'soft' }, 'The money is moved at once.')],
  }),
  decideApproval('Reject', 'reject', { action: 'Reject', danger: true }),
];

/** The actions on a webhook delivery; a test and one still under way cannot be sent again. */
export const deliveryActions = [
  {
    label: 'Send again',
    isPlain: true,
    path: ({ id }) => `/webhook-deliveries/${id}/redeliver`,
    when: ({ status, isTest }) => status !== 'Pending' && !isTest,
    done: () => 'It is being sent again.',
  },
];

/** What is decided about an event that its consumer gave up. */
export const deadLetterActions = [
  {
    label: 'Redrive',
    isPlain: true,
    path: ({ service, id }) => `/dead-letters/${service}/${id}/redrive`,
    when: ({ state }) => state === 'Waiting',
    done: ({ state, explanation }) =>
      state === 'Redriven' ? 'Its consumer has handled it.' : `Still waiting: ${explanation.what}.`,
  },
  {
    label: 'Dismiss',
    heading: 'Dismiss the event',
    path: ({ service, id }) => `/dead-letters/${service}/${id}/dismiss`,
    when: ({ state }) => state === 'Waiting',
    fields: () => [h('p', { class: 'soft' }, 'It will have no effect, for good.'), notes()],
    danger: true,
    done: () => 'It is dismissed.',
  },
];

/** The buttons of what can be done with a thing now; `reload` follows each that was done. */
export const buttonsOf = (actions, thing, reload) =>
  actions.filter(({ when }) => when(thing)).map((action) => button(action, thing, reload));

function button(action, thing, reload) {
  const { label, heading = label, fields = () => [], danger = false, body } = action;
  const send = async (values = {}) => {
    const given = Object.entries(values).filter(([, value]) => value !== '');
    const request = { ...body, ...Object.fromEntries(given) };
    const response = await call(
      'POST',
      action.path(thing),
      Object.keys(request).length > 0 ? request : undefined,
    );
    toast(action.done(response));
    await reload();
  };
  if (action.isPlain) return plainButton(label, send);
  const open = () =>
    openForm({ heading, action: action.action ?? heading, danger, fields: fields(), submit: send });
  return h('button', { class: danger ? 'danger' : 'main', onclick: open }, label);
}

/** Done at once, without a dialog. */
function plainButton(label, send) {
  const onclick = async (event) => {
    event.target.disabled = true;
    try {
      await send();
    } catch (error) {
      event.target.disabled = false;
      toast(error.message);
    }
  };
  return h('button', { onclick }, label);
}
