/**
 * Makes `target`'s children those of `source`, leaving every node in place that is already as it should be: text on the
 * screen keeps its nodes, and with them a selection in it.
 */
export function morph(target: Node, source: Node): void {
  let at = target.firstChild
  let next = source.firstChild
  while (next !== null) {
    const after = next.nextSibling
    if (at === null) {
      target.appendChild(next)
    } else if (at instanceof Text && next instanceof Text) {
      if (at.data !== next.data) extend(at, next.data)
      at = at.nextSibling
    } else if (at instanceof Element && next instanceof Element && at.localName === next.localName && sameAttributes(at, next)) {
      morph(at, next)
      at = at.nextSibling
    } else {
      const old: ChildNode = at
      at = at.nextSibling
      target.replaceChild(next, old)
    }
    next = after
  }
  while (at !== null) {
    const old: ChildNode = at
    at = at.nextSibling
    target.removeChild(old)
  }
}

function extend(node: Text, data: string): void {
  if (data.startsWith(node.data)) node.appendData(data.slice(node.data.length))
  else node.data = data
}

function sameAttributes(a: Element, b: Element): boolean {
  return a.attributes.length === b.attributes.length && [...a.attributes].every(({ name, value }) => b.getAttribute(name) === value)
}
