import { call, forgetToken, hasToken, setToken } from './api.js';
import { auditPage } from './audit.js';
import { catalogPage, variantPage } from './catalog.js';
import { deadLettersPage } from './dead-letters.js';
import { field, guarded, h } from './dom.js';
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
  const form = h(
    'form',
    {
      class: 'stack',
      onsubmit: (event) => {
        event.preventDefault();
        setToken(form.elements.token.value.trim());
        void guarded(form, async () => {
          await call('GET', '/partners?pageSize=1');
          await route();
        });
      },
    },
    h('h1', {}, 'Who is there?'),
    field('Operator token', 'token', { type: 'password', required: true, autocomplete: 'off' }),
    h('button', { class: 'main' }, 'Enter'),
    text ? h('p', { class: 'fault' }, text) : null,
  );
  main.replaceChildren(h('section', { class: 'card narrow' }, form));
  form.elements.token.focus();
}

async function route() {
  if (!hasToken()) return showEntrance();
  const [path, search] = (location.hash.slice(1) || '/orders').split('?');
  nav.hidden = false;
  leave.hidden = false;
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
    if (!hasToken()) return showEntrance(error.message);
    main.replaceChildren(h('p', { class: 'fault', role: 'alert' }, error.message));
  }
}

leave.addEventListener('click', () => {
  forgetToken();
  showEntrance();
});
addEventListener('hashchange', route);
void route();
