import type { TemplateResult } from 'lit'
import { svg } from 'lit'
import { bell, signpost, type Drawing } from '../shared/svg.ts'
import { icons, type IconName } from './icons.ts'

/** An icon beside words, or on a button that has a name. Sizes are 14, 16 and 18 px; the mark's is 22. */
export function icon(name: IconName | 'bell' | 'signpost', size: 14 | 16 | 18 | 22 = 16): TemplateResult {
  const drawing: Drawing = name === 'bell' ? bell : name === 'signpost' ? signpost : icons[name]
  const paths = drawing.paths.map((d) =>
    drawing.fill
      ? svg`<path d=${d} fill="currentColor"></path>`
      : svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"></path>`,
  )
  return svg`<svg class=${drawing.mirror ? 'icon mirror' : 'icon'} viewBox="0 0 20 20" width=${size} height=${size} aria-hidden="true">${paths}</svg>` as TemplateResult
}
