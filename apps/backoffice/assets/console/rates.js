import { call } from './api.js';
import { card, field, guarded, h, title, toast } from './dom.js';

export async function ratesPage(main) {
  const form = h(
    'form',
    {
      class: 'stack',
      onsubmit: async (event) => {
        event.preventDefault();
        const currency = form.elements.currency.value.trim().toUpperCase();
        const rate = Number(form.elements.rate.value);
        const set = await guarded(form, () =>
          call('PUT', `/rates/${encodeURIComponent(currency)}`, { rate }),
        );
        if (set) toast(`1 SAR is now ${set.rate} ${set.currency}.`);
      },
    },
    field('Currency, ISO 4217', 'currency', { required: true, maxlength: 3, size: 4 }),
    field('Display units for one SAR', 'rate', {
      type: 'number',
      step: '0.000001',
      min: '0.000001',
      required: true,
    }),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, 'Set')),
  );
  main.replaceChildren(
    title('Rates'),
    card(
      h(
        'p',
        { class: 'soft' },
        'Balances show a new rate at once; an order keeps the rate it was submitted with.',
      ),
      form,
    ),
  );
}
