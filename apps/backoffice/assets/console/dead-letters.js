import { buttonsOf, deadLetterActions } from './actions.js';
import { call, query } from './api.js';
import {
  card,
  facts,
  field,
  filters,
  h,
  moment,
  mono,
  pager,
  pill,
  show,
  table,
  title,
  toast,
} from './dom.js';

const any = ['', 'Any'];
const named = (names) => [any, ...names.map((name) => [name, name])];
const services = ['finance', 'scent-commerce', 'notifier'];
const states = ['Waiting', 'Redriven', 'Dismissed'];
const reasons = ['Undecodable', 'RuleBroken', 'EndsProcess'];

/** Events that a consumer gave up; those that wait first, since those are what an operator comes for. */
export async function deadLettersPage(main, { state = 'Waiting' }) {
  const list = h('div');
  const wanted = { state };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/dead-letters${query({ ...wanted, page })}`);
    const rows = items.map((one) => [
      moment(one.firstFailedAt),
      one.service,
      mono(one.type || one.topic),
      one.reason,
      one.explanation.what,
      pill(one.state),
      one.decidedBy ? `${one.decidedBy} ${moment(one.decidedAt)} ${one.notes ?? ''}` : '–',
      h(
        'div',
        { class: 'buttons' },
        explainButton(one),
        ...buttonsOf(deadLetterActions, one, () => load(page)),
      ),
    ]);
    list.replaceChildren(
      table(
        ['Failed', 'Service', 'Event', 'Reason', 'What', 'State', 'Decided', ''],
        rows,
        wanted.state === 'Waiting' ? 'No event waits for a decision.' : 'No dead letters.',
      ),
      pager(pagination, load),
    );
  };
  const bar = filters(
    [
      field('State', 'state', { value: state, options: named(states) }),
      field('Service', 'service', { options: named(services) }),
      field('Reason', 'reason', { options: named(reasons) }),
    ],
    (values) => {
      Object.assign(wanted, values);
      load().catch((error) => toast(error.message));
    },
  );
  main.replaceChildren(title('Dead letters'), bar, card(list));
  await load();
}

function explainButton({ service, id }) {
  const explain = async () => {
    const one = await call('GET', `/dead-letters/${service}/${id}`);
    show(
      'Dead letter',
      facts({
        'What failed': one.explanation.what,
        Where: one.explanation.where,
        'What to do': one.explanation.whatToDo,
        Event: mono(one.eventId),
        Request: mono(one.headers['request-id'] ?? '–'),
        Attempts: `${one.attempts}, last ${moment(one.lastFailedAt)}`,
      }),
      h('pre', {}, one.detail),
    );
  };
  return h(
    'button',
    { type: 'button', onclick: () => explain().catch((error) => toast(error.message)) },
    'Explain',
  );
}
