// A server that speaks Steward's wire, for the browser tests: what it answers is told by the words of a message. It also
// serves a plain host page, so that the widget is tried as a guest of one. Usage: node e2e/fake.mjs [port]
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hostPage } from './host.mjs'
import { Conversations } from './script.mjs'

const port = Number(process.argv[2] ?? 8787)
const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const types = { js: 'text/javascript; charset=utf-8' }
/** What happened, by test: each test has its own user, so that none sees another's. */
const users = new Map()
const requests = []

function userOf(request) {
  const token = /^Bearer fake-(.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) return null
  const name = token.replace(/-old$/, '')
  if (!users.has(name)) users.set(name, new Conversations())
  return { name, old: token.endsWith('-old'), conversations: users.get(name) }
}

function json(response, status, body, headers = {}) {
  response.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json', 'Cache-Control': 'no-store', ...headers })
  response.end(JSON.stringify(body))
}

function problem(response, status, code, detail, action, headers) {
  json(response, status, { type: `/problems/${code}`, title: code, status, detail, code, traceId: '4b1f2c3d7f3a91c0', action }, headers)
}

async function bodyOf(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}

const said = { en: { title: 'Ask Harbour' }, he: { title: 'לשאול את Harbour' }, ru: { title: 'Спросить Harbour' } }
const labels = { en: ['Schedule', 'Members', 'Leads', 'Member'], he: ['מערכת שעות', 'מתאמנים', 'לידים', 'מתאמן'], ru: ['Расписание', 'Клиенты', 'Лиды', 'Клиент'] }
const starters = {
  en: ['Who is booked tomorrow at 18:00?', 'Which classes are full this week?', 'Who has waited longest?', 'Who hasn’t been in for two weeks?', 'Where do I change opening hours?'],
  he: ['מי רשום מחר בשעה 18:00?', 'אילו שיעורים מלאים השבוע?', 'מי מחכה הכי הרבה זמן?', 'מי לא הגיע כבר שבועיים?', 'איפה משנים שעות פתיחה?'],
  ru: ['Кто записан завтра на 18:00?', 'Какие занятия заполнены?', 'Кто ждёт дольше всех?', 'Кого не было две недели?', 'Где изменить часы работы?'],
}

function localeOf(request) {
  const locale = (request.headers['x-locale'] ?? 'en').slice(0, 2)
  return locale in said ? locale : 'en'
}

async function answer(request, response) {
  const url = new URL(request.url, 'http://fake')
  const path = url.pathname
  const locale = localeOf(request)
  if (path.startsWith('/v1/')) requests.push({ at: Date.now(), method: request.method, path, token: request.headers.authorization ?? '' })
  if (path === '/__requests') return json(response, 200, requests)
  if (path === '/__go') {
    users.get(url.searchParams.get('as'))?.go()
    return json(response, 200, {})
  }
  if (path === '/steward.js' || path.startsWith('/steward/')) {
    try {
      const content = readFileSync(dist + path.slice(1))
      response.writeHead(200, { 'Content-Type': types.js, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'cross-origin' })
      return response.end(content)
    } catch {
      return problem(response, 404, 'not_found', 'Not here.', 'none')
    }
  }
  if (path.startsWith('/session/token')) {
    const as = url.searchParams.get('as')
    return as === 'nobody' ? json(response, 200, { token: '' }) : json(response, 200, { token: `fake-${as ?? 'noa'}` })
  }
  if (!path.startsWith('/v1/')) return hostPage(request, response, url)

  const guided = /fake-guide/.test(request.headers.authorization ?? '')
  if (path === '/v1/status') {
    const answers = /as=guide/.test(request.headers.referer ?? '') ? 'guide' : 'model'
    return json(response, 200, {
      enabled: !/as=off/.test(request.headers.referer ?? ''), answers, modes: ['kept'], limits: { maxText: 20000, maxBodyBytes: 262144 },
      product: { id: 'gym', name: 'Harbour Row' },
      launcher: { title: said[locale].title, shortcut: 'mod+k', layout: 'dock', bottomBar: '#tabs', drawer: 'data-drawer-open', locales: ['en', 'he', 'ru'] }, version: 'fake',
    })
  }
  const user = userOf(request)
  if (user === null || user.old) return problem(response, 401, 'unauthorized', 'Sign in again.', 'sign_in')
  if (user.name.startsWith('member')) return problem(response, 403, 'forbidden', 'Your role does not include it.', 'none')
  if (path === '/v1/contract') {
    const [schedule, members, leads, member] = labels[locale]
    const [a, b, c, d, e] = starters[locale]
    return json(response, 200, {
      hash: 'fake', product: { id: 'gym', name: 'Harbour Row' }, persona: { name: 'Harbour', title: said[locale].title, disclosure: '' }, locale, locales: ['en', 'he', 'ru'],
      answers: guided ? 'guide' : 'model', ...(guided ? { guideReason: 'no_key' } : {}), rights: ['read', 'send', 'decide', 'pick', 'undo'],
      limits: { maxText: 20000, maxBodyBytes: 262144, maxRounds: 6 },
      starters: [{ pages: ['/schedule'], text: a }, { pages: ['/schedule'], text: b }, { pages: ['/leads'], text: c }, { pages: [], text: d }, { pages: [], text: e }],
      tools: [{ name: 'bookings.list', summary: 'Who is booked', progress: 'Reading the bookings' }],
      nav: [{ path: '/schedule', label: schedule }, { path: '/members', label: members }, { path: '/leads', label: leads }, { path: '/members/{id}', label: member }],
      linkOrigins: ['https://help.example.com'], words: {}, origins: [],
    })
  }
  const { conversations } = user
  const match = /^\/v1\/conversations(?:\/([^/]+)(?:\/(messages|events|cancel))?)?$/.exec(path)
  if (match === null) return problem(response, 404, 'not_found', 'It does not exist.', 'new')
  const [, id, part] = match
  if (id === undefined) return json(response, 200, conversations.list(url))
  if (part === 'messages' && request.method === 'POST') return conversations.post(id, await bodyOf(request), request, response, { guided, problem, locale })
  const conversation = conversations.get(id)
  if (conversation === undefined) return problem(response, 404, 'not_found', 'It does not exist, or is no longer there.', 'new')
  if (part === 'events') return conversation.follow(request, response)
  if (part === 'cancel') {
    await bodyOf(request)
    return json(response, 202, { cancelled: conversation.cancel() })
  }
  if (request.method === 'DELETE') {
    conversations.erase(id)
    response.writeHead(204)
    return response.end()
  }
  return json(response, 200, conversation.page(url))
}

// An idle line is never closed from here: a request that was just put on it would be lost with it.
createServer({ keepAliveTimeout: 0 }, (request, response) => {
  answer(request, response).catch((error) => {
    // A page may go away in the middle of what it sends; whatever else goes wrong is this server's own fault.
    if (!request.destroyed) console.error(error)
    response.destroy()
  })
}).listen(port, '127.0.0.1', () => console.log(`fake steward on http://127.0.0.1:${port}`))
