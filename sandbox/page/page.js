/**
 * Shows the state of the sandbox, updated every second. Names and messages are untrusted: they are set as text, never as
 * markup.
 *
 * @typedef {{ status: string, phase: string, ms: number }} Step
 * @typedef {{ id: string, number: number, status: string, phase: string, message: string | null, what: string,
 *   commit: string | null, isActive: boolean, isLatest: boolean, steps: Step[] }} Revision
 * @typedef {{ id: string, name: string, source: string, status: string, url: string | null, revisions: Revision[] }} Deployment
 * @typedef {{ method: string, path: string, status: number, at: string }} Request
 * @typedef {{ deployments: Deployment[], requests: Request[] }} State
 */

const EVERY_MS = 1000

/**
 * @param {string} tag
 * @param {string} className
 * @param {(Node | string)[]} content
 */
function element(tag, className, ...content) {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  made.append(...content)
  return made
}

/** @param {string} id */
function place(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

/** @param {number} ms */
function duration(ms) {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

/** @param {{ status: string, phase: string }} revision */
function colourOf({ status, phase }) {
  if (status === 'DEPLOYED') return 'good'
  return phase === 'terminal' ? 'bad' : phase
}

/** @param {Revision} revision */
function timeline({ steps }) {
  const bar = element('div', 'bar')
  bar.setAttribute('aria-hidden', 'true')
  for (const { phase, ms, status } of steps.filter((step) => step.phase !== 'terminal')) {
    const part = element('span', phase)
    part.style.flexGrow = String(Math.max(1, ms))
    part.title = `${status} ${duration(ms)}`
    bar.append(part)
  }
  const words = steps.map(({ status, phase, ms }) => (phase === 'terminal' ? status : `${status} ${duration(ms)}`))
  return [bar, element('p', 'steps', words.join(' → '))]
}

/** @param {Revision} revision */
function revisionItem(revision) {
  const { id, number, status, message, what, commit, isActive, isLatest } = revision
  const marks = [isActive ? 'active' : '', isLatest ? 'latest' : ''].filter((mark) => mark !== '')
  const head = element(
    'div',
    'head',
    element('strong', '', `Revision ${number}`),
    element('span', `badge ${colourOf(revision)}`, status),
    ...marks.map((mark) => element('span', 'mark', mark)),
    element('span', 'mono', id),
  )
  const about = [what, commit === null ? '' : `commit ${commit.slice(0, 12)}`].filter((fact) => fact !== '')
  const item = element('li', 'revision', head, element('p', 'facts', about.join(' · ')), ...timeline(revision))
  if (message !== null) item.append(element('p', 'message', message))
  return item
}

/** @param {Deployment} deployment */
function deploymentCard({ id, name, source, status, url, revisions }) {
  const facts = element('p', 'facts', element('span', '', source), element('span', '', status))
  if (url !== null) facts.append(element('span', '', url))
  facts.append(element('span', 'mono', id))
  return element('article', '', element('h3', '', name), facts, element('ol', '', ...revisions.map(revisionItem)))
}

/** @param {Request} request */
function requestRow({ method, path, status, at }) {
  const answered = status === 0 ? 'none' : String(status)
  return element(
    'tr',
    '',
    element('td', 'mono', new Date(at).toLocaleTimeString()),
    element('td', 'mono', `${method} ${path}`),
    element('td', status === 0 || status >= 400 ? 'bad' : '', answered),
  )
}

let shown = ''

async function refresh() {
  const state = place('state')
  try {
    const text = await (await fetch('sandbox/state')).text()
    state.textContent = `Live, ${new Date().toLocaleTimeString()}`
    if (text === shown) return
    shown = text
    /** @type {State} */
    const { deployments, requests } = JSON.parse(text)
    place('deployments').replaceChildren(...deployments.map(deploymentCard))
    place('requests').replaceChildren(...requests.map(requestRow))
    place('empty').hidden = deployments.length > 0
  } catch {
    state.textContent = 'The sandbox does not respond. It may have been stopped.'
  }
}

for (;;) {
  await refresh()
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}
