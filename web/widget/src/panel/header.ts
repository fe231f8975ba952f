import { html, nothing, type TemplateResult } from 'lit'
import { icon } from './icon.ts'
import type { IconName } from './icons.ts'
import type { StewardView } from './view.ts'

/** The header: the mark, the title that is the conversation menu, and three buttons. */
export function header(view: StewardView): TemplateResult {
  const { app } = view
  const { words, face } = app
  if (typeof face === 'object') {
    return html`<div class="head">
      ${iconButton('prev', words.text('ui.back'), () => app.show('conversation'))}
      <h2 class="plain">${words.text('ui.basis')}</h2>
      ${closeButton(view)}
    </div>`
  }
  const list = face === 'list'
  const title = list ? words.text('ui.conversations') : app.view.state.title || firstWords(view) || words.text('ui.new')
  return html`<div class="head">
    <span class="mark">${icon('bell', 22)}</span>
    <h2><button type="button" class="title" aria-expanded=${list} title=${list ? '' : title} @click=${() => app.show(list ? 'conversation' : 'list')}>
      <span dir="auto">${title}</span>${icon('down', 14)}</button></h2>
    ${iconButton('write', words.text('ui.new'), () => {
      app.begin()
      void view.updateComplete.then(() => view.focusComposer())
    })}
    ${list ? nothing : more(view)} ${closeButton(view)}
  </div>`
}

/** A button that is an icon alone, with its name for those who point or listen. */
export function iconButton(name: IconName, label: string, pressed: () => void, size: 14 | 16 | 18 = 18): TemplateResult {
  return html`<button type="button" class="icon-button" aria-label=${label} title=${label} @click=${pressed}>${icon(name, size)}</button>`
}

function closeButton(view: StewardView): TemplateResult {
  // A sheet is put down, not crossed out.
  return iconButton(view.hasAttribute('phone') ? 'down' : 'close', view.app.words.text('ui.close'), () => view.app.host.close())
}

/** The first line of what was asked, until the server has told the title. */
function firstWords(view: StewardView): string {
  const said = view.app.view.state.messages.find((m) => m.role === 'user')
  return said?.text.split('\n')[0]?.slice(0, 64) ?? ''
}

function more(view: StewardView): TemplateResult | typeof nothing {
  const { app } = view
  const { words } = app
  if (app.view.state.messages.length === 0) return nothing
  const choose = (act: () => void) => () => {
    view.menuOpen = false
    act()
    view.requestUpdate()
  }
  const toggle = (): void => {
    view.menuOpen = !view.menuOpen
    view.requestUpdate()
    if (view.menuOpen) void view.updateComplete.then(() => view.renderRoot.querySelector<HTMLElement>('.menu button')?.focus())
  }
  return html`<div class="more" @focusout=${(event: FocusEvent) => leave(view, event)}>
    <button type="button" class="icon-button" aria-label=${words.text('ui.more')} title=${words.text('ui.more')} aria-haspopup="menu"
      aria-expanded=${view.menuOpen} @click=${toggle}>${icon('more', 18)}</button>
    ${view.menuOpen
      ? html`<div class="menu" role="menu" aria-label=${words.text('ui.more')} @keydown=${step}>
          <button type="button" role="menuitem" @click=${choose(() => void view.copy('all', wholeText(view)))}>${icon('copy')}${words.text('ui.copyAll')}</button>
          <button type="button" role="menuitem" class="bad" @click=${choose(() => {
            view.erasing = app.session.id // the list asks for a second word
            app.show('list')
          })}>${icon('bin')}${words.text('ui.eraseThis')}</button>
        </div>`
      : nothing}
  </div>`
}

function leave(view: StewardView, event: FocusEvent): void {
  const box = event.currentTarget as HTMLElement
  if (!view.menuOpen || (event.relatedTarget instanceof Node && box.contains(event.relatedTarget))) return
  view.menuOpen = false
  view.requestUpdate()
}

/** The arrow keys go through a menu. */
function step(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')]
  const at = items.indexOf((event.target as HTMLElement).closest('button') ?? (items[0] as HTMLElement))
  items[(at + (event.key === 'ArrowDown' ? 1 : items.length - 1)) % items.length]?.focus()
}

function wholeText(view: StewardView): string {
  return view.app.view.state.messages.map((m) => (m.role === 'user' ? `> ${m.text.replaceAll('\n', '\n> ')}` : m.text)).join('\n\n')
}
