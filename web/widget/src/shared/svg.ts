/** A drawing on the 20 grid: paths, and whether they are filled or drawn as lines. */
export interface Drawing {
  paths: readonly string[]
  fill?: boolean
  /** Turned around where text runs from right to left. */
  mirror?: boolean
}

const svg = 'http://www.w3.org/2000/svg'

const lines = { fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }

/** Draws an icon without any HTML text. It is decoration: its name stands beside it, or on its button. */
export function draw(drawing: Drawing, size: number): SVGSVGElement {
  const node = document.createElementNS(svg, 'svg')
  const attributes = {
    viewBox: '0 0 20 20',
    width: size,
    height: size,
    'aria-hidden': true,
    class: drawing.mirror ? 'icon mirror' : 'icon',
    ...(drawing.fill ? { fill: 'currentColor' } : lines),
  }
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value))
  for (const d of drawing.paths) {
    const path = document.createElementNS(svg, 'path')
    path.setAttribute('d', d)
    node.append(path)
  }
  return node
}

/** The mark: a desk bell. Its knob is the first path. */
export const bell: Drawing = {
  fill: true,
  paths: [
    'M10 2.6a1.55 1.55 0 0 1 .8 2.88v.82h-1.6v-.82A1.55 1.55 0 0 1 10 2.6Z',
    'M10 6.9c3.9 0 6.5 2.5 6.9 5.9.05.45-.3.8-.75.8H3.85c-.45 0-.8-.35-.75-.8.4-3.4 3-5.9 6.9-5.9Z',
    'M3 14.9h14a1 1 0 0 1 0 2.1H3a1 1 0 0 1 0-2.1Z',
  ],
}

/** Where a guide answers. */
export const signpost: Drawing = {
  mirror: true,
  paths: ['M10 2.5v1.6M10 10.2v7.3M7.4 17.5h5.2', 'M4 4.2h9.6l2.6 3-2.6 3H4z'],
}
