// A plain host page: a sidebar, a week, a bar of tabs on phones. Its content security policy is the strictest that is
// usual: own scripts and styles only, Trusted Types with named policies, and isolation from other origins.
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types steward lit-html dompurify"

const css = `
:root{color-scheme:light;--bg:#fff;--side:#F6F5F1;--line:#E6E3DB;--ink:#1D1C18;--dim:#6C675D}
:root[data-theme=dark]{color-scheme:dark;--bg:#141412;--side:#191917;--line:#2f2f2b;--ink:#F1EFE9;--dim:#A19D93}
*{box-sizing:border-box}
body{margin:0;font:14px/20px system-ui,sans-serif;background:var(--bg);color:var(--ink);display:grid;grid-template-columns:200px 1fr;min-height:100vh;padding-inline-end:var(--steward-dock-inset,0px)}
nav.side{background:var(--side);border-inline-end:1px solid var(--line);padding:16px}
nav.side p{font-weight:600;margin:0 0 16px}
nav.side a,#tabs a{display:block;padding:8px;color:inherit;text-decoration:none;border-radius:8px}
nav.side a[aria-current]{background:var(--bg);box-shadow:0 0 0 1px var(--line)}
main{padding:16px 24px}
h1{font-size:22px;margin:0 0 16px}
.week{display:grid;grid-template-columns:repeat(7,1fr);gap:8px}
.cell{border:1px solid var(--line);border-radius:8px;padding:10px;min-height:76px}
.cell b{display:block;font-weight:600}
.cell span{color:var(--dim)}
.tall{height:1200px}
#tabs{display:none}
@media (max-width:719px){body{grid-template-columns:1fr;padding-bottom:64px}nav.side{display:none}.week{grid-template-columns:1fr 1fr}
#tabs{display:flex;justify-content:space-around;position:fixed;inset-inline:0;bottom:0;height:60px;background:var(--bg);border-top:1px solid var(--line);z-index:1200}}
`

const script = `
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-soft]')
  if (!link) return
  event.preventDefault()
  soft(link.getAttribute('href'))
})
document.addEventListener('steward-navigate', (event) => {
  if (new URLSearchParams(location.search).has('soft')) { event.preventDefault(); soft(event.path) }
})
function soft(path) {
  history.pushState(null, '', path + location.search)
  document.querySelector('h1').textContent = path.slice(1)
  document.title = path.slice(1) + ' - Harbour Row'
}
window.reportedViolations = []
document.addEventListener('securitypolicyviolation', (event) => window.reportedViolations.push(event.violatedDirective + ' ' + event.blockedURI))
`

const text = {
  en: { dir: 'ltr', names: ['Schedule', 'Members', 'Leads'], product: 'Harbour Row' },
  he: { dir: 'rtl', names: ['מערכת שעות', 'מתאמנים', 'לידים'], product: 'סטודיו הנמל' },
  ru: { dir: 'ltr', names: ['Расписание', 'Клиенты', 'Лиды'], product: 'Harbour Row' },
}

/** Serves the host's page, its style and its script. ?as= is who asks, ?lang=, ?theme=, ?two= two elements, ?plain= no policy. */
export function hostPage(request, response, url) {
  if (url.pathname === '/host.css' || url.pathname === '/host.js') {
    response.writeHead(200, { 'Content-Type': url.pathname.endsWith('css') ? 'text/css' : 'text/javascript' })
    return response.end(url.pathname.endsWith('css') ? css : script)
  }
  if (url.pathname === '/favicon.ico') {
    response.writeHead(204)
    return response.end()
  }
  const query = url.searchParams
  const lang = query.get('lang') ?? 'en'
  const { dir, names, product } = text[lang] ?? text.en
  const paths = ['/schedule', '/members', '/leads']
  const at = Math.max(0, paths.findIndex((p) => url.pathname.startsWith(p)))
  const links = (soft) => paths.map((p, i) => `<a href="${p}${url.search}"${i === at ? ' aria-current="page"' : ''}${soft ? ' data-soft' : ''}>${names[i]}</a>`).join('')
  const cells = Array.from({ length: 21 }, (_, i) => `<div class="cell"><b>${['Engine', 'Barbell', 'Foundations', 'Mobility'][i % 4]}</b><span>${String(7 + (i % 12)).padStart(2, '0')}:00</span></div>`).join('')
  const as = query.get('as') ?? 'noa'
  const element = `<steward-assistant token-url="/session/token?as=${encodeURIComponent(as)}"${query.has('layout') ? ` layout="${query.get('layout')}"` : ''}></steward-assistant>`
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'same-origin',
    ...(query.has('plain') ? {} : { 'Content-Security-Policy': policy, 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Opener-Policy': 'same-origin' }),
  })
  response.end(`<!doctype html><html lang="${lang}" dir="${dir}"${query.has('theme') ? ` data-theme="${query.get('theme')}"` : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${names[at]} - ${product}</title><link rel="stylesheet" href="/host.css"><script src="/host.js" defer></script></head>
<body><nav class="side" aria-label="Main"><p>${product}</p>${links(true)}</nav><main><h1>${names[at]}</h1><p data-assistant-private>Private: 0541234567 <b>secret</b></p>
<label>Note <input value="typed secret"></label><div class="week">${cells}</div>${query.has('tall') ? '<div class="tall"></div>' : ''}</main><nav id="tabs" aria-label="Tabs">${links(false)}</nav>
<script src="/steward.js" defer></script>${query.has('two') ? '<script src="/steward.js" defer></script>' + element : ''}${element}</body></html>`)
}
