/** Styles of the list, which takes colours and fonts from the page. */
export const sectionStyle = { display: 'grid', gap: '0.75rem', maxWidth: '40rem' } as const;
export const rowStyle = {
  display: 'grid',
  gap: '0.5rem',
  padding: '0.75rem',
  border: '1px solid color-mix(in srgb, currentColor 30%, transparent)',
  borderRadius: '0.5rem',
} as const;

/** Creates an element. It sets no HTML and no `style` attribute, so that strict policies allow it. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string | false)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== false));
  return made;
}

/** Creates a button. `name` finds it again after the list was drawn anew. */
export function button(name: string, text: string, act?: () => unknown): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text);
  made.dataset.name = name;
  Object.assign(made.style, { font: 'inherit', minHeight: '2.25rem', padding: '0 0.75rem' });
  if (act) made.addEventListener('click', () => void act());
  return made;
}
