/** A drawing on the 20 grid: paths, and whether they are filled or drawn as lines. */
export interface Drawing {
  paths: readonly string[]
  fill?: boolean
  /** Turned around where text runs from right to left. */
  mirror?: boolean
}

const svg = 'http://www.w3.org/2000/svg'

/** Draws an icon without any HTML text. It is decoration: its name stands beside it, or on its button. */
export function draw(drawing: Drawing, size: number): SVGSVGElement {
  const node = document.createElementNS(svg, 'svg')
  node.setAttribute('viewBox', '0 0 20 20')
  node.setAttribute('width', String(size))
  node.setAttribute('height', String(size))
  node.setAttribute('aria-hidden', 'true')
  node.setAttribute('class', drawing.mirror ? 'icon mirror' : 'icon')
  for (const d of drawing.paths) {
    const path = document.createElementNS(svg, 'path')
    path.setAttribute('d', d)
    if (drawing.fill) {
      path.setAttribute('fill', 'currentColor')
    } else {
      path.setAttribute('fill', 'none')
      path.setAttribute('stroke', 'currentColor')
      path.setAttribute('stroke-width', '1.5')
      path.setAttribute('stroke-linecap', 'round')
      path.setAttribute('stroke-linejoin', 'round')
    }
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
    'M3 14.9h14c.55 0 1 .45 1 1v.1c0 .55-.45 1-1 1H3c-.55 0-1-.45-1-1v-.1c0-.55.45-1 1-1Z',
  ],
}

/** Where a guide answers. */
export const signpost: Drawing = {
  mirror: true,
  paths: ['M10 2.5v1.6M10 10.2v7.3M7.4 17.5h5.2', 'M4 4.2h9.6l2.6 3-2.6 3H4z'],
}
