/** Where Steward is mounted: the folder of its own script. */
export function baseOf(script: Element | null): string | null {
  const src = script instanceof HTMLScriptElement ? script.src : ''
  const own = src || document.querySelector<HTMLScriptElement>('script[src*="steward.js"]')?.src
  return own ? new URL('.', own).href : null
}
