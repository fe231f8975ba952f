declare const STEWARD_VERSION: string

/** What of Trusted Types is used; TypeScript's library does not know it yet. */
interface TrustedPolicies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): unknown }
}

let policy: { createScriptURL(url: string): unknown } | undefined

/** Loads a module of this build from beside the loader; the version lets it be kept for good. */
export function loadModule(base: string, name: string): Promise<unknown> {
  const url = new URL(`steward/${name}?v=${STEWARD_VERSION}`, base)
  const trusted = (globalThis as { trustedTypes?: TrustedPolicies }).trustedTypes
  policy ??= trusted?.createPolicy('steward', {
    // Nothing but this build's own files gets through.
    createScriptURL: (text) => {
      if (!text.startsWith(new URL('steward/', base).href)) throw TypeError(text)
      return text
    },
  })
  const address = policy ? policy.createScriptURL(url.href) : url.href
  return import(address as string)
}
