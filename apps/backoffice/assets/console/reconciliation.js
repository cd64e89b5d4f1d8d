import { call, query } from './api.js';
import { card, field, filters, h, moment, mono, number, pager, table, title, toast } from './dom.js';

const services = ['finance', 'orders-saga', 'scent-commerce'];

/** What does not agree; open differences first, since those are what an operator comes for. */
export async function reconciliationPage(main, { open = 'true' }) {
  const list = h('div');
  const summary = h('div');
  const wanted = { open };
  const load = async (page = 1) => {
    const { items, pagination } = await call('GET', `/reconciliation${query({ ...wanted, page })}`);
    const rows = items.map((one) => [
      moment(one.firstSeenAt),
      one.service,
      mono(one.check),
      one.kind,
      mono(one.subject),
      one.expected,
      one.found,
      one.resolvedAt ? `gone ${moment(one.resolvedAt)}` : `seen ${moment(one.lastSeenAt)}`,
    ]);
    list.replaceChildren(
      table(
        ['First seen', 'Service', 'Check', 'What', 'Of', 'Expected', 'Found', 'Now'],
        rows,
        wanted.open === 'true' ? 'Everything agrees.' : 'No differences.',
      ),
      pager(pagination, load),
    );
  };
  const reload = () => load().catch((error) => toast(error.message));
  const bar = filters(
    [
      field('Service', 'service', { options: [['', 'Any'], ...services.map((name) => [name, name])] }),
      field('Show', 'open', {
        value: open,
        options: [
          ['true', 'Open'],
          ['false', 'Gone'],
          ['', 'All'],
        ],
      }),
    ],
    (values) => {
      Object.assign(wanted, values);
      reload();
    },
  );
  bar.append(runButton(summary, reload));
  main.replaceChildren(title('Reconciliation'), bar, summary, card(list));
  await load();
}

function runButton(summary, reload) {
  return h(
    'button',
    {
      type: 'button',
      onclick: async ({ target }) => {
        target.disabled = true;
        try {
          const { checks } = await call('POST', '/reconciliation/run');
          summary.replaceChildren(card(runTable(checks)));
          await reload();
        } catch (error) {
          toast(error.message);
        } finally {
          target.disabled = false;
        }
      },
    },
    'Run now',
  );
}

const runTable = (checks) =>
  table(
    ['Service', 'Check', 'Compared', 'Differences', 'Complete'],
    checks.map((run) => [
      run.service,
      mono(run.check),
      number(run.compared),
      number(run.openDifferences),
      run.failure ?? (run.isComplete ? 'yes' : `goes on; last ${moment(run.lastCompletedAt)}`),
    ]),
  );
