import { ownFields } from '../own-fields.js';
import { type DeviceList, deviceList, type ListedDevice } from './device-list.js';
import { agoOf, type DeviceWords, descriptionOf, errorIn, exactTimeOf, placeOf, wordsIn } from './device-words.js';
import { button, element, rowStyle, sectionStyle } from './elements.js';
import type { WhorlPage } from './page.js';

/** Options of `showDevices`. */
export interface ShowDevicesOptions {
  /** Language of the texts: `en` or `de`. Default: the language of the document, otherwise English. */
  readonly language?: string | undefined;
  /** The class of the list. Default `whorl-devices`. */
  readonly className?: string | undefined;
}

/** What is open in the list: the form for a name, or the question before a device is blocked. */
type Open = { readonly id: string; readonly part: 'rename' | 'disown' } | undefined;

/** How many lists the page has had, for IDs of elements. */
let lists = 0;

/**
 * Loads the devices of the user who is logged in and shows them in an element, with what the user can do about them. The
 * list has no colours and fonts of its own. Returns a function that removes it.
 */
export function showDevices(
  target: Element,
  page: Pick<WhorlPage, 'call' | 'collect'>,
  options: ShowDevicesOptions = {},
): () => void {
  const { language = document.documentElement.lang, className = 'whorl-devices' } = ownFields(options);
  const list = deviceList(page);
  const view = new DeviceView(list, wordsIn(language), className);
  target.append(view.root);
  const unsubscribe = list.subscribe(() => view.render());
  void list.load();
  return () => {
    unsubscribe();
    view.root.remove();
  };
}

class DeviceView {
  readonly root: HTMLElement;
  private readonly list: DeviceList;
  private readonly words: DeviceWords;
  private readonly prefix = `whorl-devices-${++lists}`;
  private readonly status: HTMLElement;
  private readonly content = element('div');
  private open: Open;
  private message = '';

  constructor(list: DeviceList, words: DeviceWords, className: string) {
    this.list = list;
    this.words = words;
    const title = element('h2', { id: `${this.prefix}-title` }, words.title);
    title.style.margin = '0';
    // Stays in the document, so that screen readers announce what changes in it.
    this.status = element('div', { role: 'status' });
    this.root = element('section', { 'aria-labelledby': title.id }, title, this.status, this.content);
    this.root.lang = words.language;
    this.root.className = className;
    Object.assign(this.root.style, sectionStyle);
    Object.assign(this.content.style, { display: 'grid', gap: '0.75rem' });
  }

  render(): void {
    const { words } = this;
    const { devices, isPending, error } = this.list.state;
    this.root.setAttribute('aria-busy', String(isPending));
    this.status.textContent = isPending && !devices ? words.loading : this.message;
    const focused = this.focusedName();
    const parts: (HTMLElement | false)[] = [
      error !== undefined && element('div', { role: 'alert' }, errorIn(words, error)),
      error !== undefined && !devices && actions(button('retry', words.retry, () => this.list.load())),
      devices?.length === 0 && element('p', {}, words.empty),
      devices !== undefined && devices.length > 0 && this.renderDevices(devices),
    ];
    // What somebody is typing must not be lost.
    const typed = this.content.querySelector('input')?.value;
    this.content.replaceChildren(...parts.filter((part) => part !== false));
    const field = this.content.querySelector('input');
    if (field && typed !== undefined) field.value = typed;
    this.focus(focused);
  }

  private renderDevices(devices: readonly ListedDevice[]): HTMLElement {
    const list = element('ul', { role: 'list' }, ...devices.map((device) => this.renderDevice(device)));
    Object.assign(list.style, { display: 'grid', gap: '0.75rem', margin: '0', padding: '0', listStyle: 'none' });
    return list;
  }

  private renderDevice(device: ListedDevice): HTMLElement {
    const { words } = this;
    const description = descriptionOf(device, words);
    const title = element('strong', { id: `${this.prefix}-${device.id}` }, device.name ?? description);
    Object.assign(title.style, { overflowWrap: 'anywhere' });
    const time = element(
      'time',
      { datetime: device.lastSeenAt.toISOString(), title: exactTimeOf(device, words) },
      agoOf(device, words),
    );
    const details = [...(device.name === undefined ? [] : [description]), placeOf(device, words)];
    const item = element(
      'li',
      { 'aria-labelledby': title.id },
      element('div', {}, title, device.isThis && ' · ', device.isThis && element('em', {}, words.thisDevice)),
      element('div', {}, `${details.join(' · ')} · ${words.lastUsed}: `, time),
      this.renderActions(device, title.id),
    );
    Object.assign(item.style, rowStyle);
    return item;
  }

  private renderActions(device: ListedDevice, title: string): HTMLElement {
    const { words, open } = this;
    const { id } = device;
    if (open?.id === id) return open.part === 'rename' ? this.renderName(device) : this.renderQuestion(device);
    const act = (name: string, text: string, run: () => unknown) => {
      const made = button(`${name} ${id}`, text, run);
      made.setAttribute('aria-describedby', title);
      return made;
    };
    return actions(
      act('rename', words.rename, () => this.show({ id, part: 'rename' })),
      // This one is signed out, and its session ended, by the application's own sign-out.
      !device.isThis && act('out', words.signOut, () => this.act(id, () => this.list.signOut(id), words.signedOut)),
      device.canDisown && act('disown', words.notMe, () => this.show({ id, part: 'disown' })),
    );
  }

  private renderName({ id, name }: ListedDevice): HTMLElement {
    const { words } = this;
    const field = element('input', { id: `${this.prefix}-name`, maxlength: '64', autocomplete: 'off' });
    field.value = name ?? '';
    field.dataset.name = `name ${id}`;
    Object.assign(field.style, { font: 'inherit', minHeight: '2.25rem', maxWidth: '100%', boxSizing: 'border-box' });
    const label = element('label', { for: field.id }, words.nameOf);
    const save = button(`save ${id}`, words.save);
    save.type = 'submit';
    const cancel = button(`cancel ${id}`, words.cancel, () => this.show(undefined, `rename ${id}`));
    const form = element('form', {}, label, field, actions(save, cancel));
    Object.assign(form.style, { display: 'grid', gap: '0.5rem', justifyItems: 'start' });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.act(id, () => this.list.rename(id, field.value), words.renamed);
    });
    return form;
  }

  private renderQuestion({ id }: ListedDevice): HTMLElement {
    const { words } = this;
    const question = element('p', { id: `${this.prefix}-question` }, words.question);
    question.style.margin = '0';
    const group = element(
      'div',
      { role: 'group', 'aria-labelledby': question.id },
      question,
      actions(
        button(`cancel ${id}`, words.cancel, () => this.show(undefined, `disown ${id}`)),
        button(`confirm ${id}`, words.confirm, () => this.act(id, () => this.list.disown(id), words.disowned)),
      ),
    );
    Object.assign(group.style, { display: 'grid', gap: '0.5rem' });
    return group;
  }

  /** Opens or closes a part of a device, and moves the focus there, or back to the button that opened it. */
  private show(open: Open, back = ''): void {
    this.open = open;
    this.message = '';
    this.render();
    this.focus(open ? `${open.part === 'rename' ? 'name' : 'cancel'} ${open.id}` : back);
  }

  private async act(id: string, run: () => Promise<boolean>, done: string): Promise<void> {
    if (this.list.state.isPending) return;
    this.message = '';
    const isDone = await run();
    if (!isDone) return;
    this.message = done;
    this.open = undefined;
    this.render();
    // The button is gone, and so may be the device.
    this.focus(`rename ${id}`);
    if (!this.root.contains(document.activeElement)) this.focusTitle();
  }

  private focusTitle(): void {
    const title = this.root.querySelector('h2');
    title?.setAttribute('tabindex', '-1');
    title?.focus();
  }

  private focusedName(): string {
    const { activeElement } = document;
    const isOwn = activeElement instanceof HTMLElement && this.content.contains(activeElement);
    return (isOwn && activeElement.dataset.name) || '';
  }

  private focus(name: string): void {
    const found = [...this.content.querySelectorAll<HTMLElement>('[data-name]')];
    found.find(({ dataset }) => dataset.name === name)?.focus();
  }
}

function actions(...buttons: readonly (HTMLElement | false)[]): HTMLElement {
  const row = element('div', {}, ...buttons);
  Object.assign(row.style, { display: 'flex', flexWrap: 'wrap', gap: '0.5rem' });
  return row;
}
