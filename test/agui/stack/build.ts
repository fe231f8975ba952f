import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('..', import.meta.url))

/** Where what the tests run is built to. */
export const built = `${here}.build/`

/** Builds Steward, the scripted model and the page's script, once for all tests. STEWARD_BIN is a Steward built before. */
export default async function all(): Promise<void> {
  mkdirSync(built, { recursive: true })
  const go = (cwd: string, out: string, pkg: string) =>
    execFileSync('go', ['build', '-o', built + out, pkg], { cwd, stdio: 'inherit', env: { ...process.env, CGO_ENABLED: '0' } })
  if (!process.env['STEWARD_BIN']) go(`${here}../..`, 'steward', './cmd/steward')
  go(here, 'model', './model')
  await build({
    entryPoints: [`${here}shop/app.tsx`],
    outfile: `${built}app.js`,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
    jsx: 'automatic',
  })
}
