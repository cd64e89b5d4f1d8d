// Small helpers to build the page. Text always goes in as text, never as markup.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const card = (...children) => h('section', { class: 'card' }, ...children);
export const title = (text) => h('h1', {}, text);
export const moment = (at) => (at ? new Date(at).toLocaleString() : '–');
export const money = (amount, currency = 'SAR') =>
  `${amount.toLocaleString(undefined, { minimumFractionDigits: 2 })} ${currency}`;

const tones = {
  Completed: 'good',
  Delivered: 'good',
  DeadLettered: 'bad',
  Done: 'good',
  Failed: 'bad',
  Refused: 'bad',
  InterventionRequired: 'wait',
  Unknown: 'wait',
  Pending: 'wait',
  Processing: 'wait',
};
export const pill = (text, tone = tones[text] ?? '') => h('span', { class: `pill ${tone}` }, text);

export function table(headings, rows, empty = 'Nothing here.') {
  if (rows.length === 0) return h('p', { class: 'soft' }, empty);
  const head = h(
    'tr',
    {},
    headings.map((text) => h('th', {}, text)),
  );
  const body = rows.map((cells) =>
    h(
      'tr',
      {},
      cells.map((cell) => (cell?.tagName === 'TD' ? cell : h('td', {}, cell))),
    ),
  );
  return h('table', {}, h('thead', {}, head), h('tbody', {}, body));
}

export const number = (text) => h('td', { class: 'number' }, text);
export const mono = (text) => h('span', { class: 'mono' }, text);

/** The tail of a UUID, which is the part that differs; the whole of it on hover. */
export const shortId = (id) => h('span', { class: 'mono', title: id }, `…${id.slice(-12)}`);

export const facts = (entries) =>
  h(
    'dl',
    {},
    Object.entries(entries).flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value ?? '–')]),
  );

/** A labelled input, or a select where options are given. */
export function field(label, name, { options, ...properties } = {}) {
  if (properties.type === 'checkbox')
    return h('label', { class: 'check' }, h('input', { name, ...properties }), label);
  if (!options) return h('label', {}, label, h('input', { name, ...properties }));
  const { value, ...rest } = properties;
  const choices = options.map(([key, text]) => h('option', { value: key, selected: key === value }, text));
  return h('label', {}, label, h('select', { name, ...rest }, choices));
}

export const environments = [
  ['sandbox', 'Sandbox'],
  ['live', 'Live'],
];

export function pager({ page, totalPages, totalCount }, go) {
  if (totalPages <= 1) return h('p', { class: 'soft' }, `${totalCount} in all`);
  const turn = (text, to) =>
    h('button', { disabled: to < 1 || to > totalPages, onclick: () => go(to) }, text);
  return h(
    'div',
    { class: 'bar' },
    turn('Newer', page - 1),
    turn('Older', page + 1),
    h('span', { class: 'soft' }, `Page ${page} of ${totalPages}, ${totalCount} in all`),
  );
}

let toastTimer;
export function toast(text) {
  const place = document.getElementById('toast');
  place.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.textContent = ''), 4000);
}

/** Runs an action with its form held, and shows a refusal under it. */
export async function guarded(form, action) {
  form.querySelector('.fault')?.remove();
  const buttons = [...form.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  try {
    return await action();
  } catch (error) {
    form.append(h('p', { class: 'fault', role: 'alert' }, error.message));
    return undefined;
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

const valuesOf = (form) =>
  Object.fromEntries(
    [...form.elements]
      .filter(({ name }) => name)
      .map((input) => [input.name, input.type === 'checkbox' ? input.checked : input.value.trim()]),
  );

/** Asks in a dialog; `submit` gets the values, and the dialog stays open while it is refused. */
export function openForm({ heading, fields, action, danger = false, submit }) {
  const dialog = document.getElementById('dialog');
  const close = () => dialog.close();
  const form = h(
    'form',
    {
      class: 'stack',
      onsubmit: async (event) => {
        event.preventDefault();
        const done = await guarded(form, async () => {
          await submit(valuesOf(form));
          return true;
        });
        if (done) close();
      },
    },
    h('h2', {}, heading),
    fields,
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', class: 'quiet', onclick: close }, 'Leave it'),
      h('button', { class: danger ? 'danger' : 'main' }, action),
    ),
  );
  dialog.replaceChildren(form);
  dialog.showModal();
}

/** Shows something once, until it is closed. */
export function show(heading, ...content) {
  const dialog = document.getElementById('dialog');
  const close = h('button', { class: 'main', onclick: () => dialog.close() }, 'Done');
  // A dialog that is just closing would take this one with it.
  setTimeout(() => {
    dialog.replaceChildren(h('div', { class: 'stack' }, h('h2', {}, heading), ...content, h('p', {}, close)));
    dialog.showModal();
  });
}

/** A bar of filters that calls back with its values whenever one changes. */
export function filters(fields, onChange) {
  const form = h('form', { class: 'bar', onsubmit: (event) => event.preventDefault() }, fields);
  form.addEventListener('change', () => onChange(valuesOf(form)));
  return form;
}
