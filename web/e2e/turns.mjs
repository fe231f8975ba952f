// What the fake server answers, by the words of a message.

const bookings = {
  title: 'Wednesday, 18:15 Barbell',
  note: 'No class starts at 18:00. This is the nearest.',
  columns: ['Member', 'Plan'],
  rows: [['Hila Tzur', 'Unlimited'], ['Michal Dor', 'Unlimited'], ['Nir Ashkenazi', '10-pack'], ['Dana Levi', 'Unlimited'], ['Omer Adler', '2× a week'], ['Shir Ben-Ami', '10-pack'], ['Gil Navon', 'Unlimited'], ['Lea Mizrahi', 'Unlimited']],
  total: 8,
}

const read = { call: { name: 'bookings.list', label: 'Reading the bookings', args: { date: '2026-12-01', time: '18:00' }, ms: 220, content: '{"items":[{"member":{"name":"Hila Tzur"},"class":{"name":"Barbell"}}],"left":4}', table: bookings } }
const schedule = { call: { name: 'classes.list', label: 'Reading the schedule', args: { date: '2026-12-01' }, ms: 260, content: '{"items":[]}' } }
const failing = { call: { name: 'payments.list', label: 'Reading the payments', ms: 150, code: 'unreadable', sentence: 'Payments did not answer, so this is unknown, not zero.', content: '' } }
const slow = { call: { ...read.call, ms: 60000 } }
const held = { call: { ...read.call, hold: true } }

/** Splits a text as a model streams it. */
export function words(text, wait = 12) {
  return text.match(/\s*\S+/g)?.map((part) => ({ wait, text: part })) ?? []
}

const sections = {
  hello: () => words('Thursday’s 18:00 Foundations has **3 places left**, and new people start there.'),
  tool: () => [read, schedule, { next: true }, ...words('Tomorrow at 18:15 *Barbell* has **8 of 12** booked. [Open the schedule](/schedule) to see all of it.')],
  held: () => [held, schedule, { next: true }, ...words('Tomorrow at 18:15 *Barbell* has **8 of 12** booked. [Open the schedule](/schedule) to see all of it.')],
  words_then_tool: () => [...words('I look at the bookings first.'), read, { next: true }, ...words('Eight people are booked.')],
  failing: () => [read, failing, { next: true }, ...words('Eight are booked. Whether they have paid is unknown right now.')],
  slow: () => words(Array.from({ length: 1000 }, (_, i) => `word${i}`).join(' '), 40),
  long: (text) => Array.from({ length: 40 }, (_, i) => ({ wait: 60, hold: text.endsWith(` held at ${i}`), text: `Paragraph ${i + 1} says something of some length, so that it wraps over more than one line in a narrow panel.\n\n` })),
  stuck: () => [slow],
  markdown: () => words('### Monday\n\nThree classes are full:\n\n1. **Engine** at 07:00, 12 of 12\n2. **Barbell** at 09:00\n   - Noam stands in for Lior\n3. `Open gym` from 16:00\n\n| Class | Places |\n| --- | ---: |\n| Engine | 12 |\n| Barbell | 10 |\n\n> Waiting lists open at 06:00.\n\n```json\n{"full": 3}\n```\n\nSee [Schedule](/schedule), [a member](/members/7) or [the help](https://help.example.com/x).\n', 8).map((s) => s),
  image: () => words('Look: ![secret](https://elsewhere.example/?q=secret) and <img src="https://elsewhere.example/x.png" onerror="alert(1)"> and [here](https://elsewhere.example/) or [this](javascript:alert(1)) done.'),
  cut: () => [...words('The line is cut after this,'), { wait: 50, cut: true }, ...words(' and the rest comes all the same.', 20)],
  unreachable: () => [{ wait: 60, end: { outcome: 'provider_error', code: 'provider_unreachable', message: 'Your message is kept. Nothing was sent twice.', action: 'retry' } }],
  interrupted: () => [...words('This much was said before'), { end: { outcome: 'interrupted', code: 'interrupted', message: 'The text so far is kept. It can be asked again.', action: 'retry' } }],
  rounds: () => [read, { next: true }, ...words('So far I found eight.'), { end: { outcome: 'max_rounds', code: 'max_rounds_reached', message: 'What I found so far is above. I can go on from there.', action: 'go_on' } }],
  broke: () => [{ end: { outcome: 'failed', code: 'internal', message: 'Nothing was changed. Quote the trace to support.', action: 'retry' } }],
  truncated: () => [...words('A very long'), { end: { outcome: 'truncated', code: 'provider_output_truncated', message: 'It grew too long, so nothing in it was run.', action: 'smaller' } }],
  hebrew: () => [{ call: { ...read.call, label: 'קריאת ההזמנות', table: undefined } }, { next: true }, ...words('ביסודות של חמישי ב־18:00 נותרו **3 מקומות**, ושם מתחילים מתאמנים חדשים.')],
}

/**
 * The steps of a turn. "raw:JSON" says the text that stands there; a first word that names a section takes that; else a
 * short reply. What is held, as by "long held at 12", goes on when a test says so: what is true in its midst can then be
 * looked at without haste.
 */
export function stepsFor(body, { guided, retry, locale, page }) {
  const { text } = body
  if (text.startsWith('raw:')) return [{ text: JSON.parse(text.slice(4)) }]
  if (text.startsWith('page')) return words('`' + JSON.stringify(page ?? null) + '`')
  if (guided) {
    if (/help/.test(text)) return [{ text: 'I can answer questions like these:\n\n- Who is booked tomorrow\\?\n- Who has … booked?\n- Show appointments on 1\\. 12\\.' }]
    if (/can/.test(text)) return [...words('I can’t answer that without a model. These come close:'), { links: [{ path: '/schedule', label: 'Schedule' }, { path: '/members', label: 'Members' }, { path: '/leads', label: 'Leads' }] }]
    return [read, { next: true }, ...words('8 are booked, 4 places are left.', 4)]
  }
  if (retry) return words('This time it worked.')
  const section = sections[text.split(/[ :]/)[0]]
  if (section) return section(text)
  return locale === 'he' ? sections.hebrew() : sections.tool()
}
