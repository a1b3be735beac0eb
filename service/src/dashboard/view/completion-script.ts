/**
 * Script that suggests facts, their values and functions below the field of a condition. The arrow keys choose one, Enter
 * inserts it and Escape hides the list; Ctrl+Space shows it. The field stays a text field: HTML allows no other role for a
 * `textarea`, and that of a combobox would announce a field of one line.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 * @see https://www.w3.org/TR/html-aria/#el-textarea
 */
export const completeScript = `'use strict';
const source = document.querySelector('[data-completes]');
const field = source && document.getElementById(source.dataset.completes);
const most = 10;

/** Returns the position of the quote of a text that is not closed, or -1. */
const openQuote = (text) => {
  let open = -1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\\\') at += 1;
    else if (open >= 0) open = text[at] === text[open] ? -1 : open;
    else if (text[at] === '"' || text[at] === "'") open = at;
  }
  return open;
};

/** Returns the values that can follow: of the fact that is compared, a window of counter(), or a reason. */
const valuesAfter = (lead, { values, windows }) => {
  const [, fact] = /([\\w.]+)\\s*(?:==|!=|\\bin\\b)\\s*\\[?\\s*(?:["'][^"']*["']\\s*,\\s*)*$/.exec(lead) ?? [];
  if (fact) return values[fact] ?? [];
  if (/\\bcounter\\([^,]*,\\s*$/.test(lead)) return windows;
  return /(?:^|&&|\\|\\||!)[\\s(]*$/.test(lead) ? values.reasons : [];
};

/** Returns what fits the text before the caret, and where it begins. */
const suggestionsFor = (before, isAsked, items) => {
  const open = openQuote(before);
  if (open >= 0) {
    const typed = before.slice(open + 1);
    const fitting = valuesAfter(before.slice(0, open), items).filter((value) => value.startsWith(typed));
    return { from: open + 1, end: before[open], all: fitting.map((text) => ({ text, about: '' })) };
  }
  const [word] = /[A-Za-z_][\\w.]*$/.exec(before) ?? [''];
  const from = before.length - word.length;
  if (word === '' && !isAsked) return { from, end: '', all: [] };
  const owner = word.slice(0, Math.max(0, word.lastIndexOf('.')));
  const isText = owner.startsWith('metadata.') || items.facts.some(({ name, isText }) => name === owner && isText);
  const all = [
    ...items.facts.map(({ name, about }) => ({ text: name, about })),
    ...items.functions.map((name) => ({ text: name + '(', about: 'function' })),
    ...(isText ? items.methods.map((name) => ({ text: owner + '.' + name + '(', about: 'function' })) : []),
  ];
  const typed = word.toLowerCase();
  const fits = ({ text }) => {
    const name = text.toLowerCase();
    return name !== typed && (name.startsWith(typed) || name.includes('.' + typed));
  };
  return { from, end: '', all: all.filter(fits) };
};

const complete = (items) => {
  const list = document.createElement('ul');
  list.id = field.id + '-options';
  list.className = 'options';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  const status = document.createElement('span');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  field.after(list, status);
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-haspopup', 'listbox');
  field.setAttribute('aria-controls', list.id);
  let shown = { from: 0, end: '', all: [] };
  let active = -1;

  const optionFor = ({ text, about }, at) => {
    const option = document.createElement('li');
    option.id = list.id + '-' + at;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    const name = document.createElement('code');
    name.textContent = text;
    option.append(name, about === '' ? '' : ' ' + about);
    option.addEventListener('click', () => insert(at));
    return option;
  };
  const show = (next) => {
    shown = next;
    active = -1;
    const options = next.all.slice(0, most).map(optionFor);
    list.replaceChildren(...options);
    list.hidden = options.length === 0;
    field.removeAttribute('aria-activedescendant');
    const whole = next.all.length > most ? most + ' of ' + next.all.length : String(next.all.length);
    const count = whole + (whole === '1' ? ' suggestion' : ' suggestions');
    status.textContent = list.hidden ? '' : count + '. Choose with the arrow keys and Enter.';
  };
  const hide = () => show({ from: 0, end: '', all: [] });
  const update = (isAsked) => {
    const { value, selectionStart, selectionEnd } = field;
    if (selectionStart === selectionEnd) show(suggestionsFor(value.slice(0, selectionStart), isAsked, items));
    else hide();
  };
  const choose = (at) => {
    active = at;
    [...list.children].forEach((option, index) => option.setAttribute('aria-selected', String(index === at)));
    field.setAttribute('aria-activedescendant', list.children[at].id);
  };
  const insert = (at) => {
    const { from, end, all } = shown;
    const to = field.selectionStart;
    field.setRangeText(all[at].text + (field.value[to] === end ? '' : end), from, to, 'end');
    hide();
  };
  const count = () => list.children.length;
  const acts = {
    ArrowDown: () => choose((active + 1) % count()),
    ArrowUp: () => choose((active <= 0 ? count() : active) - 1),
    Enter: () => insert(active),
    Escape: hide,
  };

  field.addEventListener('input', (event) => {
    if (!event.isComposing) update(false);
  });
  field.addEventListener('keydown', (event) => {
    const { key, isComposing, ctrlKey, altKey, metaKey, shiftKey } = event;
    const isPlain = !ctrlKey && !altKey && !metaKey && !shiftKey;
    if (isComposing) return;
    if (key === ' ' && ctrlKey) update(true);
    else if (!list.hidden && isPlain && Object.hasOwn(acts, key) && (key !== 'Enter' || active >= 0)) acts[key]();
    else {
      if (/^(Arrow|Home|End|Page)/.test(key)) hide();
      return;
    }
    event.preventDefault();
  });
  field.addEventListener('click', hide);
  field.addEventListener('blur', hide);
  // Keeps the focus in the field.
  list.addEventListener('mousedown', (event) => event.preventDefault());
};
if (field) complete(JSON.parse(source.dataset.items));
`;
