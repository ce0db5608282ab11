import { copyable, duration, element, place, timeOf } from './elements.js'
import { byAttention, colourOf, countsOf, createCommand, matches, servesNothing, shortened } from './rules.js'

/**
 * Shows the state of the sandbox, updated every second. Names, messages and logs are untrusted: they are set as text,
 * never as markup.
 *
 * @typedef {{ status: string, phase: string, ms: number }} Step
 * @typedef {{ id: string, number: number, status: string, phase: string, message: string | null, what: string,
 *   commit: string | null, isActive: boolean, isLatest: boolean, steps: Step[] }} Revision
 * @typedef {{ id: string, name: string, source: string, status: string, url: string | null, secrets: string[],
 *   revisions: Revision[] }} Deployment
 * @typedef {{ method: string, path: string, status: number, at: string }} Request
 * @typedef {{ input: string, value: string, header: string }} Credential
 * @typedef {{ pathPrefix: string, publicPath: string, credential: Credential, deployments: Deployment[],
 *   requests: Request[] }} State
 * @typedef {{ message: string, level: string }} LogLine
 */

const EVERY_MS = 1000

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

/** The logs that have been on the page, by revision: an open one stays open. @type {Map<string, HTMLDetailsElement>} */
const logs = new Map()

/** @param {string} id */
function logOf(id) {
  const known = logs.get(id)
  if (known !== undefined) return known
  const log = element('details', '', element('summary', '', 'Logs'), element('pre', 'log'))
  log.addEventListener('toggle', () => void readLog(id, log))
  logs.set(id, log)
  return log
}

/** @param {string} id @param {HTMLDetailsElement} log */
async function readLog(id, log) {
  const lines = log.lastElementChild
  if (!log.open || lines === null) return
  const response = await fetch(`sandbox/logs/${id}`)
  /** @type {Record<string, LogLine[]>} */
  const read = response.ok ? await response.json() : {}
  const parts = Object.entries(read).flatMap(([type, messages]) => [
    ...(messages.length > 0 ? [element('div', 'mark', `${type} log`)] : []),
    ...messages.map(({ message, level }) => element('div', level === 'ERROR' ? 'bad' : '', message)),
  ])
  if (lines.childElementCount === parts.length && parts.length > 0) return
  lines.replaceChildren(...(parts.length > 0 ? parts : [element('div', 'mark', 'No lines yet.')]))
  lines.scrollTop = lines.scrollHeight
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
  item.append(logOf(id))
  return item
}

/** @param {Deployment} deployment */
function deploymentCard(deployment) {
  const { id, name, source, status, url, secrets, revisions } = deployment
  const facts = element('p', 'facts', element('span', '', source), element('span', '', status))
  if (servesNothing(deployment)) facts.append(element('span', 'bad', 'nothing serves'))
  if (url !== null) facts.append(element('span', '', url))
  facts.append(element('span', 'mono', id))
  const names = secrets.map((secret) => element('code', '', secret))
  const named = names.length > 0 ? [element('p', 'facts secrets', 'Secrets: ', ...names)] : []
  return element(
    'article',
    '',
    element('h3', '', name),
    facts,
    ...named,
    element('ol', '', ...revisions.map(revisionItem)),
  )
}

/** The cards on the page, by deployment. @type {Map<string, { text: string, card: HTMLElement }>} */
const cards = new Map()

/** Makes a new card only for a deployment that has changed. @param {Deployment} deployment */
function cardOf(deployment) {
  const text = JSON.stringify(deployment)
  const known = cards.get(deployment.id)
  if (known?.text === text) return known.card
  const card = deploymentCard(deployment)
  known?.card.replaceWith(card)
  cards.set(deployment.id, { text, card })
  return card
}

/** @param {Request} request */
function requestRow({ method, path, status, at }) {
  const answered = status === 0 ? 'none' : String(status)
  const what = element('td', 'mono', `${method} ${shortened(path)}`)
  what.title = path
  return element(
    'tr',
    '',
    element('td', 'mono', timeOf(new Date(at))),
    what,
    element('td', status === 0 || status >= 400 ? 'bad' : '', answered),
  )
}

let shownAccess = ''

/** A sandbox that is restarted may have another key. A button that is being used is kept. @param {State} state */
function showAccess({ pathPrefix, publicPath, credential }) {
  const access = JSON.stringify({ pathPrefix, publicPath, credential })
  if (access === shownAccess) return
  shownAccess = access
  const base = location.origin + pathPrefix
  const facts = { 'base-url': base, "LangSmith's names": base + publicPath, [credential.input]: credential.value }
  const parts = Object.entries(facts).map(([name, value]) =>
    element('div', '', element('dt', '', name), element('dd', '', copyable(value))),
  )
  place('access').replaceChildren(...parts)
  place('command').replaceChildren(copyable(createCommand(base, credential.header)))
}

const filter = document.querySelector('input') ?? element('input', '')

/** Each of them filters, and again shows all. A button that is being used is kept. @param {Deployment[]} deployments */
function showCounts(deployments) {
  const parent = place('counts')
  const counts = deployments.length > 1 ? countsOf(deployments) : []
  const known = [...parent.querySelectorAll('button')]
  const buttons = counts.map(({ standing, count }) => {
    const button = known.find(({ value }) => value === standing) ?? counter(standing)
    button.textContent = `${count} ${standing}`
    button.ariaPressed = String(filter.value === standing)
    return button
  })
  if (buttons.length !== known.length || buttons.some((button, at) => button !== known[at]))
    parent.replaceChildren(...buttons)
}

/** @param {string} standing */
function counter(standing) {
  const button = element('button', '')
  button.type = 'button'
  button.value = standing
  button.addEventListener('click', () => {
    filter.value = filter.value === standing ? '' : standing
    showDeployments(state?.deployments ?? [])
  })
  return button
}

/** @param {Deployment[]} deployments */
function showDeployments(deployments) {
  const wanted = byAttention(deployments).filter((deployment) => matches(filter.value, deployment))
  const shown = wanted.map(cardOf)
  const parent = place('deployments')
  // A card that moves loses the focus and the scroll positions inside it.
  if (shown.length !== parent.childElementCount || shown.some((card, at) => card !== parent.children[at]))
    parent.replaceChildren(...shown)
  showCounts(deployments)
  filter.hidden = deployments.length === 0
  place('count').textContent = filter.value === '' ? '' : `${wanted.length} of ${deployments.length}`
  place('empty').hidden = deployments.length > 0
}

/** @type {State | undefined} */
let state
let shown = ''

async function refresh() {
  const live = place('state')
  try {
    const text = await (await fetch('sandbox/state')).text()
    live.textContent = `Live, ${timeOf(new Date())}`
    if (text !== shown) {
      /** @type {State} */
      const read = JSON.parse(text)
      showAccess(read)
      state = read
      showDeployments(read.deployments)
      place('requests').replaceChildren(...read.requests.map(requestRow))
      shown = text
    }
    await Promise.all([...logs].map(async ([id, log]) => await readLog(id, log)))
  } catch {
    live.textContent = 'The sandbox does not respond. It may have been stopped.'
  }
}

filter.addEventListener('input', () => {
  showDeployments(state?.deployments ?? [])
})

for (;;) {
  await refresh()
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}
