// Builds web/dist from the sources: the loader as one classic script, the panel as one ES module, and one module of
// texts a language. The output depends on nothing but the sources and the locked packages, so it can be compared:
// --check writes nothing and fails while web/dist differs.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { minify } from 'terser'

const root = fileURLToPath(new URL('.', import.meta.url))
const out = join(root, 'dist')

/** Style sheets come as small text, for constructed sheets. */
const styleText = {
  name: 'style-text',
  setup(steps) {
    steps.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true, target: 'chrome119' })
      return { contents: code.trim().replace(/(--[\w-]+): /g, '$1:'), loader: 'text' }
    })
  },
}

/** Of marked only the lexer and the parser are used; its own front is cut off, which no bundler can prove to be unused. */
const markedCore = {
  name: 'marked-core',
  setup(steps) {
    steps.onLoad({ filter: /marked\.esm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const [, front] = /;(var \w+=new \w+;function \w+\(\w+,\w+\)\{return .*)export\{/s.exec(text) ?? []
      if (front === undefined) throw new Error('marked looks different: cut its front anew')
      const names = new Map([...text.matchAll(/(\w+) as (\w+)/g)].map(([, inner, outer]) => [outer, inner]))
      const wanted = ['Lexer', 'Parser', 'Renderer'].map((name) => `${names.get(name)} as ${name}`)
      return { contents: `${text.slice(0, text.indexOf(front))}export{${wanted.join(',')}}`, loader: 'js' }
    })
  },
}

/**
 * Of DOMPurify's lists of what is allowed by default, those of SVG, MathML and attributes are emptied: a reply names what
 * it may consist of, and none of those. Its lists of what is forbidden stay.
 */
const purifierCore = {
  name: 'purifier-core',
  setup(steps) {
    steps.onLoad({ filter: /purify\.es\.mjs$/ }, ({ path }) => {
      let text = readFileSync(path, 'utf8')
      for (const name of ['svg$1', 'svgFilters', 'mathMl$1', 'html', 'svg', 'mathMl']) {
        const start = text.indexOf(`const ${name} = freeze([`)
        if (start < 0) throw new Error(`DOMPurify looks different: cut its list ${name} anew`)
        text = `${text.slice(0, start)}const ${name} = freeze([${text.slice(text.indexOf(']);', start))}`
      }
      return { contents: text, loader: 'js' }
    })
  },
}

const common = {
  plugins: [styleText, markedCore, purifierCore],
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  charset: 'utf8',
  target: ['es2022'],
  legalComments: 'none',
  logLevel: 'warning',
  conditions: ['production'],
}

async function bundle(entry, options) {
  const result = await build({ ...common, ...options, entryPoints: [entry], outfile: 'out.js' })
  const module = options.format === 'esm'
  // Functions that stand together make the loader smaller, and the panel larger.
  const { code } = await minify(result.outputFiles[0].text, { module, ecma: 2020, compress: { passes: 3, ecma: 2020, hoist_funs: !module }, format: { ecma: 2020 } })
  // In small code a line's end followed by spaces stands only in templates of HTML, where it is as good as one space.
  return Buffer.from(code.replace(/\n\s+/g, ' '))
}

const files = new Map()
// The texts and the panel first: the loader asks for them under the hash of their content.
for (const language of ['en', 'he', 'ru']) {
  files.set(`steward/words.${language}.js`, await bundle(`client/src/words.${language}.gen.ts`, { format: 'esm' }))
}
files.set('steward/panel.js', await bundle('widget/src/panel/panel.ts', { format: 'esm' }))

const hash = createHash('sha256')
for (const [name, content] of files) hash.update(name).update(content)
const version = hash.digest('hex').slice(0, 16)
files.set('steward.js', await bundle('widget/src/loader/steward.ts', { format: 'iife', define: { STEWARD_VERSION: JSON.stringify(version) } }))
files.set('VERSION', Buffer.from(version + '\n'))

if (process.argv.includes('--check')) {
  const stale = [...files].filter(([name, content]) => !existsSync(join(out, name)) || !readFileSync(join(out, name)).equals(content)).map(([name]) => name)
  if (stale.length > 0) {
    console.error(`web/dist is stale, run npm run build: ${stale.join(', ')}`)
    process.exit(1)
  }
} else {
  for (const name of readdirSync(out)) rmSync(join(out, name), { recursive: true })
  mkdirSync(join(out, 'steward'), { recursive: true })
  for (const [name, content] of files) {
    writeFileSync(join(out, name), content)
    if (name.endsWith('.js')) console.log(name.padEnd(24), String(content.length).padStart(7), 'bytes', String(gzipSync(content, { level: 9 }).length).padStart(6), 'gzip')
  }
}
