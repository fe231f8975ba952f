/** The locale that the page speaks: the element's attribute, the page's own, the browser's. */
export function localeOf(element: Element): string {
  return element.getAttribute('locale') || document.documentElement.lang || navigator.language
}

/** Whether the panel is laid out from right to left: by the locale that was asked for, else as the page is. */
export function isRtl(element: Element): boolean {
  const locale = element.getAttribute('locale')
  if (locale) return /^(he|iw|ar|fa|ur)\b/i.test(locale)
  return getComputedStyle(document.documentElement).direction === 'rtl'
}
