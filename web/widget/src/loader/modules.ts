import type { Http } from '../../../client/src/http.ts'

declare const STEWARD_VERSION: string

/** What of Trusted Types is used; TypeScript's library does not know it yet. */
interface TrustedPolicies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): unknown }
}

let policy: { createScriptURL(url: string): unknown } | undefined

/**
 * Loads a module of this build from beside the loader; the version lets it be kept for good. A browser does not say why
 * one did not come: it is asked for once more to throw what was answered.
 */
export async function loadModule(http: Http, name: string): Promise<unknown> {
  const { base } = http
  const path = `steward/${name}?v=${STEWARD_VERSION}`
  const trusted = (globalThis as { trustedTypes?: TrustedPolicies }).trustedTypes
  policy ??= trusted?.createPolicy('steward', {
    // Nothing but this build's own files gets through.
    createScriptURL: (text) => {
      if (!text.startsWith(`${base}steward/`)) throw TypeError(text)
      return text
    },
  })
  const address = policy ? policy.createScriptURL(base + path) : base + path
  try {
    return await import(address as string)
  } catch (error) {
    await http.send(path, { open: true })
    throw error
  }
}
