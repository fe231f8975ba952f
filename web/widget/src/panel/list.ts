import { html, nothing, type TemplateResult } from 'lit'
import type { ConversationSummary } from '../../../client/src/wire.ts'
import type { Words } from '../../../client/src/words.ts'
import type { Word } from '../../../client/src/word.gen.ts'
import { iconButton } from './header.ts'
import { icon } from './icon.ts'
import type { StewardView } from './view.ts'

/** The member's conversations by day, with a search in their titles. */
export function listFace(view: StewardView): TemplateResult {
  const { app } = view
  const { words } = app
  const { items, loading, more, problem } = app.conversations.view
  const wanted = view.query.trim().toLocaleLowerCase()
  const found = wanted === '' ? items : items.filter((c) => c.title.toLocaleLowerCase().includes(wanted))
  const label = more || items.length === 0 ? words.text('ui.searchSome') : words.count('ui.search', items.length)
  return html`<div class="face list">
    <label class="search">${icon('search')}<input type="search" dir="auto" aria-label=${label} placeholder=${label} .value=${view.query}
      @input=${(event: Event) => {
        view.query = (event.target as HTMLInputElement).value
        view.requestUpdate()
      }} /></label>
    ${problem ? html`<div class="note bad">${icon('line')}<div><h3>${words.title(problem.code)}</h3>
        <p dir="auto">${problem.sentence || words.text(`code.${problem.code}.message`)}</p>
        <div class="actions"><button type="button" class="button" @click=${() => void app.conversations.load()}>${icon('again', 14)}${words.text('code.action.retry')}</button></div></div></div>` : nothing}
    ${!problem && found.length === 0
      ? html`<p class="meta none">${loading ? words.text('ui.loading') : wanted === '' ? words.text('ui.noConversations') : words.text('ui.noMatch')}</p>`
      : nothing}
    ${groups(found, new Date()).map(([key, list]) => html`<h3 class="group">${words.text(key)}</h3><ul class="threads">${list.map((c) => thread(view, c))}</ul>`)}
    ${more ? html`<button type="button" class="quiet" @click=${() => void app.conversations.loadMore()}>${words.text('ui.showMore')}</button>` : nothing}
  </div>`
}

function thread(view: StewardView, item: ConversationSummary): TemplateResult {
  const { app } = view
  const { words } = app
  const title = item.title || words.text('ui.new')
  if (view.erasing === item.id) {
    return html`<li class="thread erasing"><span class="thread-text"><b dir="auto">${title}</b><span>${words.text('ui.eraseNote')}</span></span>
      <span class="actions"><button type="button" class="button" @click=${() => ask(view, '')}>${words.text('ui.keep')}</button>
        <button type="button" class="button danger" @click=${() => {
          view.erasing = ''
          void app.erase(item.id)
        }}>${words.text('ui.erase')}</button></span></li>`
  }
  const state = item.state === 'running' ? words.text('ui.answering') : item.state === 'waiting' ? words.text('ui.waits') : ''
  return html`<li class="thread ${item.id === app.session.id ? 'current' : ''}">
    <button type="button" class="thread-open" aria-current=${item.id === app.session.id ? 'true' : nothing} @click=${() => void app.choose(item.id)}>
      <span class="thread-text"><b dir="auto">${title}</b>${state === '' ? nothing : html`<span class=${item.state}>${item.state === 'waiting' ? icon('pause', 14) : nothing}${state}</span>`}</span>
      <time datetime=${item.updatedAt}>${when(words, new Date(item.updatedAt), new Date())}</time></button>
    ${iconButton('bin', words.text('ui.eraseOne', { title }), () => ask(view, item.id), 16)}
  </li>`
}

function ask(view: StewardView, id: string): void {
  view.erasing = id
  view.requestUpdate()
  void view.updateComplete.then(() => view.renderRoot.querySelector<HTMLElement>('.erasing .button')?.focus())
}

type Group = Extract<Word, 'ui.today' | 'ui.yesterday' | 'ui.lastWeek' | 'ui.before'>

function groups(items: readonly ConversationSummary[], now: Date): [Group, ConversationSummary[]][] {
  const made = new Map<Group, ConversationSummary[]>()
  for (const item of items) {
    const days = daysAgo(new Date(item.updatedAt), now)
    const key: Group = days <= 0 ? 'ui.today' : days === 1 ? 'ui.yesterday' : days < 7 ? 'ui.lastWeek' : 'ui.before'
    made.set(key, [...(made.get(key) ?? []), item])
  }
  return [...made]
}

function daysAgo(then: Date, now: Date): number {
  const day = (d: Date): number => Date.UTC(d.getFullYear(), d.getMonth(), d.getDate())
  return Math.round((day(now) - day(then)) / 86_400_000)
}

function when(words: Words, then: Date, now: Date): string {
  const days = daysAgo(then, now)
  if (days <= 1) return new Intl.DateTimeFormat(words.language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(then)
  if (days < 7) return new Intl.DateTimeFormat(words.language, { weekday: 'short' }).format(then)
  return new Intl.DateTimeFormat(words.language, { day: 'numeric', month: 'short' }).format(then)
}
