import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { icon } from './icon.ts'
import { iconButton } from './header.ts'
import type { StewardView } from './view.ts'

/** Where the next words are written: what the assistant sees, the field, and the button that sends or stops. */
export function composer(view: StewardView): TemplateResult {
  const { app } = view
  const { words } = app
  if (!app.maySend) return html`<div class="composer off"><p>${words.text('ui.readOnly')}</p></div>`
  const running = app.view.state.phase === 'running'
  const tooMany = app.text.trim().length - app.host.contract.limits.maxText
  const ready = app.text.trim() !== '' && tooMany <= 0 && !running
  const placeholder = running ? 'ui.placeholderRunning' : app.guided ? 'ui.placeholderGuide' : 'ui.placeholder'
  return html`<form class="composer" @submit=${(event: Event) => submit(view, event)} @click=${(event: Event) => focusField(event)}>
    ${app.seesPage
      ? html`<div class="sees">${icon('eye', 14)}<span class="sees-text">${words.text('ui.sees')} <b dir="auto">${app.pageLabel}</b></span>
          ${iconButton('close', words.text('ui.leaveOut'), () => {
            app.seesPage = false
            view.requestUpdate()
            void view.updateComplete.then(() => view.focusComposer())
          }, 14)}</div>`
      : nothing}
    <textarea rows="1" dir=${app.text === '' ? (app.host.rtl() ? 'rtl' : 'ltr') : 'auto'} enterkeyhint="send" aria-label=${words.text('ui.message')} placeholder=${words.text(placeholder)}
      .value=${live(app.text)} @input=${(event: Event) => write(view, event)} @keydown=${(event: KeyboardEvent) => keydown(view, event)}></textarea>
    <div class="under">
      <span class="hint" role=${tooMany > 0 ? 'alert' : nothing}>${
        tooMany > 0 ? html`<span class="bad">${words.count('ui.tooLong', tooMany)}</span>` : running && app.text.trim() !== '' ? words.text('ui.whenDone') : nothing
      }</span>
      ${ready ? html`<span class="enter">${words.text('ui.enter')}</span>` : nothing}
      ${running
        ? html`<button type="button" class="send stop" aria-label=${words.text('ui.stop')} title=${words.text('ui.stop')} ?disabled=${app.view.stopping}
            @click=${() => void app.session.stop()}>${app.view.stopping ? html`<span class="ring"></span>` : icon('stop')}</button>`
        : html`<button type="submit" class="send ${ready ? 'ready' : ''}" aria-label=${words.text('ui.send')} title=${words.text('ui.send')} aria-disabled=${!ready}>${icon('send')}</button>`}
    </div>
  </form>`
}

function write(view: StewardView, event: Event): void {
  view.app.text = (event.target as HTMLTextAreaElement).value
  view.requestUpdate()
}

/** Enter sends, unless it ends the composing of a word: then some browsers say isComposing, others only key code 229. */
function keydown(view: StewardView, event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
  submit(view, event)
}

function submit(view: StewardView, event: Event): void {
  event.preventDefault()
  const { app } = view
  const text = app.text.trim()
  if (text === '' || text.length > app.host.contract.limits.maxText || app.view.state.phase === 'running') return
  app.text = ''
  app.send(text)
  view.follow()
}

/** The whole box is the field's. */
function focusField(event: Event): void {
  const form = event.currentTarget as HTMLElement
  if (event.target === form || (event.target as HTMLElement).classList.contains('under')) form.querySelector('textarea')?.focus()
}
