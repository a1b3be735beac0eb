import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { SeenPage, Visitor } from './visitor.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Form with the URL it posts to and the fields it submits if the user changes nothing. */
export interface PageForm {
  readonly action: string;
  readonly fields: URLSearchParams;
}

/** Returns the forms of a page, in document order. */
export function formsOf(html: string): PageForm[] {
  return elementsIn(parse(html))
    .filter(({ tagName }) => tagName === 'form')
    .map((form) => ({ action: attribute(form, 'action') ?? '', fields: fieldsOf(form) }));
}

/**
 * Posts the form of a page whose action ends with `ending`, with some fields changed. A field set to undefined is
 * omitted, which unticks a checkbox.
 */
export function submitForm(
  visitor: Visitor,
  { html }: Pick<SeenPage, 'html'>,
  ending: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<SeenPage> {
  const form = formsOf(html).find(({ action }) => action.endsWith(ending));
  if (!form) throw new Error(`There is no form that is posted to …${ending}`);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) form.fields.delete(name);
    else form.fields.set(name, value);
  }
  return visitor.post(form.action, Object.fromEntries(form.fields));
}

/** Returns the fields that a form submits (HTML standard, constructing the entry list), without buttons. */
function fieldsOf(form: Element): URLSearchParams {
  const fields = new URLSearchParams();
  for (const control of elementsIn(form)) {
    const name = attribute(control, 'name');
    const value = name === undefined ? undefined : submittedValue(control);
    if (name !== undefined && value !== undefined) fields.append(name, value);
  }
  return fields;
}

function submittedValue(control: Element): string | undefined {
  const { tagName } = control;
  if (tagName === 'textarea') return textIn(control).replace(/\r?\n/g, '\r\n');
  if (tagName === 'select') {
    const options = elementsIn(control).filter((child) => child.tagName === 'option');
    const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
    return chosen && (attribute(chosen, 'value') ?? textIn(chosen));
  }
  if (tagName !== 'input') return undefined;
  const isTickable = ['checkbox', 'radio'].includes(attribute(control, 'type') ?? '');
  if (isTickable && attribute(control, 'checked') === undefined) return undefined;
  return attribute(control, 'value') ?? (isTickable ? 'on' : '');
}

function elementsIn(node: Node): Element[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  return children.flatMap((child) => ('tagName' in child ? [child, ...elementsIn(child)] : []));
}

function textIn(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((each) => each.name === name)?.value;
}
