import { operator, readSession, signInUrl, signOut } from './api.js';
import { approvalsPage } from './approvals.js';
import { auditPage } from './audit.js';
import { catalogPage, variantPage } from './catalog.js';
import { deadLettersPage } from './dead-letters.js';
import { h } from './dom.js';
import { orderPage, ordersPage } from './orders.js';
import { partnerPage, partnersPage } from './partners.js';
import { ratesPage } from './rates.js';
import { returnsPage } from './returns.js';
import { reconciliationPage } from './reconciliation.js';
import { webhooksPage } from './webhooks.js';

const main = document.getElementById('main');
const nav = document.getElementById('nav');
const leave = document.getElementById('leave');

const pages = [
  [/^\/orders\/(.+)$/, (_values, id) => orderPage(main, decodeURIComponent(id))],
  [/^\/orders$/, (values) => ordersPage(main, values)],
  [/^\/partners\/(.+)$/, (_values, id) => partnerPage(main, id)],
  [/^\/partners$/, () => partnersPage(main)],
  [/^\/returns$/, (values) => returnsPage(main, values)],
  [/^\/approvals$/, (values) => approvalsPage(main, values)],
  [/^\/webhooks$/, (values) => webhooksPage(main, values)],
  [/^\/dead-letters$/, (values) => deadLettersPage(main, values)],
  [/^\/catalog\/(.+)$/, (_values, id) => variantPage(main, id)],
  [/^\/catalog$/, (values) => catalogPage(main, values)],
  [/^\/rates$/, () => ratesPage(main)],
  [/^\/reconciliation$/, (values) => reconciliationPage(main, values)],
  [/^\/audit$/, (values) => auditPage(main, values)],
];

function showEntrance(text) {
  nav.hidden = true;
  leave.hidden = true;
  main.replaceChildren(
    h(
      'section',
      { class: 'card narrow stack' },
      h('h1', {}, 'Who is there?'),
      h('a', { class: 'main', href: signInUrl() }, 'Sign in'),
      text ? h('p', { class: 'fault', role: 'alert' }, text) : null,
    ),
  );
}

async function route() {
  if (!operator()) return showEntrance();
  const [path, search] = (location.hash.slice(1) || '/orders').split('?');
  nav.hidden = false;
  leave.hidden = false;
  leave.title = `${operator().name} (${operator().roles.join(', ')})`;
  for (const link of nav.children) {
    const isHere = path.startsWith(link.getAttribute('href').slice(1));
    if (isHere) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const values = Object.fromEntries(new URLSearchParams(search ?? ''));
  const page = pages.find(([pattern]) => pattern.test(path)) ?? pages[1];
  try {
    await page[1](values, page[0].exec(path)?.[1]);
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  } catch (error) {
    if (!operator()) return showEntrance(error.message);
    main.replaceChildren(h('p', { class: 'fault', role: 'alert' }, error.message));
  }
}

leave.addEventListener('click', async () => {
  await signOut().catch(() => readSession());
  await route();
});
addEventListener('hashchange', route);
const fault = await readSession().then(
  () => undefined,
  (error) => error.message,
);
if (fault) showEntrance(fault);
else await route();
