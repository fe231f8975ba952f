import { html, nothing, type TemplateResult } from 'lit'
import { fits } from '../../../client/src/links.ts'
import type { Starter } from '../../../client/src/wire.ts'
import { icon } from './icon.ts'
import type { StewardView } from './view.ts'

/** What an empty conversation shows: a greeting, and sentences to begin with, those of this page first. */
export function starters(view: StewardView): TemplateResult {
  const { app } = view
  const { words } = app
  const all = app.host.contract.starters
  const here = all.filter((s) => s.pages?.some((page) => fits(page, location.pathname)))
  const anywhere = all.filter((s) => !s.pages?.length || s.pages.includes('*'))
  return html`<div class="welcome">
    <h2>${words.text(greeting(new Date().getHours()))}</h2>
    <p class="intro">${words.text(app.guided ? 'ui.introGuide' : 'ui.intro')}</p>
    ${app.maySend ? html`${group(view, words.text('ui.onPage', { page: app.pageLabel }), here)}${group(view, words.text('ui.anywhere'), anywhere)}` : nothing}
  </div>`
}

function group(view: StewardView, label: string, list: readonly Starter[]): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing
  return html`<h3 class="group" dir="auto">${label}</h3>
    <ul class="rows">
      ${list.map((s) => html`<li><button type="button" class="row" @click=${() => view.ask(s.text)}>${icon('tell')}<span dir="auto">${s.text}</span>${icon('arrow')}</button></li>`)}
    </ul>`
}

function greeting(hour: number): 'ui.morning' | 'ui.afternoon' | 'ui.evening' {
  if (hour >= 5 && hour < 12) return 'ui.morning'
  return hour >= 12 && hour < 18 ? 'ui.afternoon' : 'ui.evening'
}
