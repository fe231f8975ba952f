/** Where Steward is mounted: the folder of its own script. */
export function baseOf(script: HTMLOrSVGScriptElement | null): string | null {
  const own = (script as HTMLScriptElement | null)?.src || document.querySelector<HTMLScriptElement>('script[src*="steward.js"]')?.src
  return own ? new URL('.', own).href : null
}
